import path from 'node:path';
import { type DocumentArchive, decodePart } from './document-archive.ts';
import { readXml } from './xml.ts';

/** A reference from one part of an office document to another one. */
export interface Relation {
  readonly id: string;
  /** The last word of its type, such as `worksheet`. */
  readonly type: string;
  /** The name of the other part. */
  readonly target: string;
}

/** More than a presentation with thousands of slides needs. */
const MAX_RELATIONS = 20_000;

/** Reads what a part refers to. @param part empty for the document as a whole */
export async function readRelations(archive: DocumentArchive, part: string): Promise<readonly Relation[]> {
  const folder = path.posix.dirname(part);
  const file = path.posix.join(folder, '_rels', `${path.posix.basename(part)}.rels`);
  const found: Relation[] = [];
  await readXml(archive.read(file), {
    onOpen: (name, attributes) => {
      const target = attributes.get('Target');
      if (name !== 'Relationship' || target === undefined || found.length >= MAX_RELATIONS) return;
      if (attributes.get('TargetMode')?.toLowerCase() === 'external') return;
      const type = attributes.get('Type')?.split('/').at(-1) ?? '';
      found.push({ id: attributes.get('Id') ?? '', type, target: resolveTarget(folder, target) });
    },
  });
  return found;
}

/** The targets with one of the types, in the order of the types. */
export function targetsOf(relations: readonly Relation[], ...types: readonly string[]): readonly string[] {
  return types.flatMap((type) =>
    relations.filter((relation) => relation.type === type).map(({ target }) => target),
  );
}

/** Some programs write backslashes. A target that begins with a slash is in the root of the archive. */
function resolveTarget(folder: string, target: string): string {
  return resolvePart(folder, target.replaceAll('\\', '/'));
}

/** The part of an archive that a URI refers to, relative to a folder. */
export function resolvePart(folder: string, uri: string): string {
  const [file = ''] = uri.split('#', 1);
  return path.posix.resolve('/', folder, decodePart(file)).slice(1);
}
