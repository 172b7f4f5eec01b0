import assert from 'node:assert/strict';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import { type Tree, withDirectories } from './directory-tree.ts';

export const TEXT = 'the same words again and again\n';
export const NOISE = noise(300_000);
export const DOCS: Tree = withDirectories({
  'docs/readme.txt': TEXT.repeat(100),
  'docs/empty.txt': '',
  'docs/empty/': '',
  'docs/long.txt': TEXT.repeat(30_000),
  'docs/noise.jpg': NOISE,
  'docs/zeros.bin': '\0'.repeat(3_000_000),
  'docs/deep/er/Übung 日本.txt': 'x',
});

/** Registers a user with the tree. It has one directory, `docs`. */
export async function personWith(
  holdall: Holdall,
  tree: Tree,
): Promise<{ person: Person; docs: EntryRecord }> {
  const person = await holdall.register('alice');
  for (const [name, content] of Object.entries(tree)) {
    if (name.endsWith('/')) continue;
    await person.upload(`/${name}`, Buffer.from(content, 'latin1'));
  }
  for (const name of Object.keys(tree)) {
    if (name.endsWith('/')) await person.fetch('POST', '/api/files/mkdir', { body: { path: `/${name}` } });
  }
  const docs = (await person.list('/')).items.find(({ filename }) => filename === 'docs');
  assert(docs);
  return { person, docs };
}

/** Incompressible bytes, the same on every call. */
function noise(size: number): string {
  const bytes = Buffer.alloc(size);
  let state = 88_172_645;
  for (let at = 0; at < size; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state & 0xff;
  }
  return bytes.toString('latin1');
}
