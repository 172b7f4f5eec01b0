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

/** Something to be done in the background, in a directory of its own. */
export interface Work {
  readonly kind: WorkKind;
  readonly home: string;
  /** What the task is about. */
  readonly source: EntryRecord;
  readonly taskId: number;
  /** As it was last heard of. */
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

/** What a directory of works has in it, before its task has ended and after. */
const NAMES: Readonly<
  Record<WorkKind, { readonly before: readonly string[]; readonly after: readonly string[] }>
> = {
  tree: { before: ['tree'], after: ['tree', 'tree.zip'] },
  file: { before: ['words.txt'], after: ['words.txt', 'words.txt.zip'] },
  pack: { before: ['pack.zip'], after: ['in', 'pack.zip', 'top.txt'] },
  picture: { before: ['picture.jpg'], after: ['picture.jpg'] },
};

/** Of what works are made by copying: made once for each person. */
export type Material = Readonly<Record<Exclude<WorkKind, 'picture'>, EntryRecord>>;

export async function storeMaterial(person: Person): Promise<Material> {
  await person.mkdir('/material/tree/empty');
  for (const [name, content] of Object.entries(TREE)) {
    if (!name.endsWith('/')) await person.upload(`/material/${name}`, Buffer.from(content, 'latin1'));
  }
  const packed = Object.entries(PACKED).map(([name, content], index) => ({
    name,
    content: Buffer.from(content, 'latin1'),
    isDeflated: index % 2 === 1,
  }));
  const file = await person.upload('/material/words.txt', Buffer.from(WORDS, 'latin1'));
  const pack = await person.upload('/material/pack.zip', Uint8Array.from(forgeZip(packed)));
  const tree = (await person.list('/material')).items.find(({ filename }) => filename === 'tree');
  assert.ok(tree);
  return { tree, file, pack };
}

/** Makes the directory of a work and gives what its task is to be about. */
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

/** Whether the output of a work is there. Fails where half of it is. */
export async function showsOutput(person: Person, { kind, home, source }: Work): Promise<boolean> {
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

/** Reads all that lies in the directory of a work: just what was put there, and the output when that is to be there. */
export async function checkHome(person: Person, work: Work, isDone: boolean): Promise<void> {
  assert.equal(await showsOutput(person, work), isDone, `${work.home} after ${work.status}`);
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
