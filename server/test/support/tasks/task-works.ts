import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { Person } from '../app/person.ts';
import { makeJpeg } from '../media/media-files.ts';
import { forgeZip } from '../zip/zip-forge.ts';
import { readBack } from '../zip/zip-reading.ts';
import { readTree } from './archive-tasks.ts';
import { type Tree, withDirectories } from './directory-tree.ts';

export const KINDS = ['tree', 'file', 'pack', 'picture'] as const;
export type WorkKind = (typeof KINDS)[number];

/** A background task with its own directory, as the load test expects it. */
export interface Work {
  readonly kind: WorkKind;
  readonly home: string;
  /** The entry that the task works on. */
  readonly source: EntryRecord;
  readonly taskId: number;
  /** The last known status. */
  status: string;
}

const noise = (size: number) => randomBytes(size).toString('latin1');

const TREE = withDirectories({
  'tree/words.txt': 'the same words again and again\n'.repeat(10_000),
  'tree/noise': noise(400_000),
  'tree/nothing': '',
  'tree/empty/': '',
  ...Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`tree/a/b/${index}`, noise(10 ** index)])),
});
const WORDS = noise(600).repeat(1_000);
const PACKED = withDirectories({
  'top.txt': 'on top',
  'in/noise': noise(300_000),
  'in/empty/': '',
  ...Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`in/a/${index}`, noise(index * 1_000)])),
});
const PICTURE = makeJpeg(640, 480, { padding: 200_000 });

/** The names in the directory of a work, before and after its task has completed. */
const NAMES: Readonly<
  Record<WorkKind, { readonly before: readonly string[]; readonly after: readonly string[] }>
> = {
  tree: { before: ['tree'], after: ['tree', 'tree.zip'] },
  file: { before: ['words.txt'], after: ['words.txt', 'words.txt.zip'] },
  pack: { before: ['pack.zip'], after: ['in', 'pack.zip', 'top.txt'] },
  picture: { before: ['picture.jpg'], after: ['picture.jpg'] },
};

/** The originals that are copied for each work; stored once per user. */
export type Material = Readonly<Record<Exclude<WorkKind, 'picture'>, EntryRecord>>;

/** @param parent the path of an existing directory, empty for the root */
export async function storeMaterial(person: Person, parent = ''): Promise<Material> {
  const place = `${parent}/material`;
  await person.mkdir(`${place}/tree/empty`);
  for (const [name, content] of Object.entries(TREE)) {
    if (!name.endsWith('/')) await person.upload(`${place}/${name}`, Buffer.from(content, 'latin1'));
  }
  const packed = Object.entries(PACKED).map(([name, content], index) => ({
    name,
    content: Buffer.from(content, 'latin1'),
    isDeflated: index % 2 === 1,
  }));
  const file = await person.upload(`${place}/words.txt`, Buffer.from(WORDS, 'latin1'));
  const pack = await person.upload(`${place}/pack.zip`, Uint8Array.from(forgeZip(packed)));
  const tree = (await person.list(place)).items.find(({ filename }) => filename === 'tree');
  assert.ok(tree);
  return { tree, file, pack };
}

/** Creates the directory of a work. Returns the entry for its task. */
export async function prepareWork(
  person: Person,
  kind: WorkKind,
  home: string,
  material: Material,
): Promise<EntryRecord> {
  if (kind === 'picture') return await person.upload(`${home}/picture.jpg`, PICTURE, 'image/jpeg');
  await person.mkdir(home);
  return await person.copy(material[kind], home);
}

/** Whether the output of a work exists. Throws if only a part of it exists. */
export async function hasOutput(person: Person, { kind, home, source }: Work): Promise<boolean> {
  if (kind === 'picture') {
    const { metadata } = await person.details(source);
    if (Object.keys(metadata).length === 0) return false;
    assert.deepEqual(metadata, {
      'media:contentType': 'image/jpeg',
      'media:height': '480',
      'media:size': String(PICTURE.length),
      'media:width': '640',
    });
    return true;
  }
  const names = (await person.names(home)).toSorted();
  if (names.length === NAMES[kind].before.length) {
    assert.deepEqual(names, NAMES[kind].before, home);
    return false;
  }
  assert.deepEqual(names, NAMES[kind].after, home);
  return true;
}

/** Checks the whole directory of a work: its source, and the complete output if the task is done. */
export async function checkHome(person: Person, work: Work, isDone: boolean): Promise<void> {
  assert.equal(await hasOutput(person, work), isDone, `${work.home} after ${work.status}`);
  if (work.kind === 'picture' || !isDone) return;
  if (work.kind === 'pack') {
    const { 'pack.zip': _archive, ...rest } = await readTree(person, work.home);
    assert.deepEqual(rest, PACKED, work.home);
    return;
  }
  const archive = (await person.list(work.home)).items.find(({ filename }) => filename.endsWith('.zip'));
  assert.ok(archive);
  const content: Tree = Object.fromEntries(
    (await readBack(await person.download(archive))).map(({ entry, bytes }) => [
      entry.fileName,
      bytes.toString('latin1'),
    ]),
  );
  assert.deepEqual(content, work.kind === 'tree' ? TREE : { 'words.txt': WORDS }, work.home);
}
