// tier: full
// runs on: sqlite, postgres
// Property: a path leads to the entry that it names below the link, or to nothing. This holds for any names
// of the directories around the link, and for any spelling of the path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { isLong } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { linkFolder, Visitor } from '../support/folder-links/folder-links.ts';
import {
  type Found,
  findIn,
  type LinkedTree,
  linkedTrees,
  pathsIn,
  type Spelling,
  spell,
  spelling,
  type Tree,
} from '../support/folder-links/random-trees.ts';
import { readBack } from '../support/zip/zip-reading.ts';

const TREES = isLong ? 100 : 12;
/** The number of spellings that are tried for each tree. */
const SPELLINGS = 24;
const UPLOADS = 4;
/** A word that is in no name and no content inside of a link. */
const OUTSIDE = 'outside';

// The tests register an owner for every tree, which rate limits would prevent.
const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });

/** A path to try: where it should lead, and how it is spelled. */
interface Attempt {
  readonly target: number;
  readonly how: Spelling;
}

const attempt: fc.Arbitrary<Attempt> = fc.record({ target: fc.nat(), how: spelling });

test('no spelling of a path reaches a sibling, and every plain path reaches what it names', async () => {
  const attempts = (count: number) => fc.array(attempt, { minLength: count, maxLength: count });
  await fc.assert(
    fc.asyncProperty(linkedTrees, attempts(SPELLINGS), attempts(UPLOADS), async (around, reads, writes) => {
      const { owner, visitor } = await build(around);
      await checkFound(visitor, '/', around.linked);
      for (const names of pathsIn(around.linked)) {
        const path = `/${names.join('/')}`;
        await checkFound(visitor, encodeURIComponent(path), findIn(around.linked, path));
      }
      const targets = targetsOf(around);
      for (const { target, how } of reads) {
        const { encoded } = spell(targets[target % targets.length] ?? [], how);
        const path = pathFrom(encoded);
        await checkFound(visitor, encoded, findIn(around.linked, path));
      }
      await checkUploads(owner, visitor, around, writes);
    }),
    // The time limit also ends the search for a smaller counterexample.
    { numRuns: TREES, interruptAfterTimeLimit: isLong ? 240_000 : 30_000 },
  );
});

/** Creates the directories of a new owner, with a link. */
async function build({ name, linked, siblings }: LinkedTree): Promise<{ owner: Person; visitor: Visitor }> {
  const owner = await holdall.register('owner');
  const directory = await owner.mkdir(`/top/${name}`);
  await create(owner, directory.path, linked);
  const names = new Set(['secret', ...pathsIn(linked).flatMap(([first]) => first ?? [])]);
  for (const sibling of siblings) {
    for (const file of names) await owner.upload(`/top/${sibling}/${file}`, `${OUTSIDE}: ${sibling}`);
  }
  await owner.upload('/secret', OUTSIDE);
  const visitor = new Visitor(holdall.url, await linkFolder(owner, directory, { mode: 'BOTH' }));
  return { owner, visitor };
}

async function create(owner: Person, path: string, tree: Tree): Promise<void> {
  for (const [name, child] of tree) {
    if (typeof child === 'string') {
      await owner.upload(`${path}/${name}`, child);
      continue;
    }
    await owner.mkdir(`${path}/${name}`);
    await create(owner, `${path}/${name}`, child);
  }
}

/** Lists paths to everything inside and outside: from the link, from its parent and from the root. */
function targetsOf({ name, linked, siblings }: LinkedTree): readonly (readonly string[])[] {
  const outside = siblings.flatMap((sibling) => [
    ...[
      ['..', sibling],
      [sibling, 'secret'],
      ['top', sibling, 'secret'],
      ['..', sibling, 'secret'],
    ],
    ...[
      ['..', '..', 'top', sibling],
      ['..', '..', 'secret'],
      [name, '..', sibling, 'secret'],
    ],
  ]);
  return [...pathsIn(linked), ...outside, [], ['..'], ['..', name], [name], ['top', name]];
}

/**
 * Returns the path as the service reads it from an address: decoded once, or not at all if a part cannot be
 * decoded.
 */
function pathFrom(encoded: string): string {
  const text = encoded.replaceAll('+', ' ');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param encoded the path as it is sent in an address */
async function checkFound(visitor: Visitor, encoded: string, expected: Found): Promise<void> {
  const listed = await visitor.fetch('GET', visitor.at(`/entries?size=1000&path=${encoded}`));
  const text = await listed.text();
  if (expected instanceof Map) {
    assert.equal(listed.status, 200, encoded);
    const { items } = JSON.parse(text).data as { items: { name: string }[] };
    assert.deepEqual(items.map((item) => item.name).sort(), [...expected.keys()].sort(), encoded);
  } else {
    assert.ok([400, 404].includes(listed.status), `${encoded}: ${listed.status} ${text}`);
  }
  const downloaded = await visitor.fetch('GET', visitor.at(`/download?path=${encoded}`));
  const bytes = Buffer.from(await downloaded.arrayBuffer());
  if (expected === undefined) {
    assert.ok([400, 404].includes(downloaded.status), `${encoded}: ${downloaded.status} ${bytes}`);
    return;
  }
  assert.equal(downloaded.status, 200, encoded);
  if (typeof expected === 'string') {
    assert.equal(bytes.toString(), expected, encoded);
    return;
  }
  const packed = (await readBack(bytes)).filter(({ entry }) => !entry.fileName.endsWith('/'));
  assert.deepEqual(packed.map((file) => file.bytes.toString()).sort(), contentsOf(expected).sort(), encoded);
}

function contentsOf(tree: Tree): string[] {
  return [...tree.values()].flatMap((child) => (typeof child === 'string' ? [child] : contentsOf(child)));
}

/** Checks that uploads below the paths change nothing outside of the link. */
async function checkUploads(
  owner: Person,
  visitor: Visitor,
  around: LinkedTree,
  attempts: readonly Attempt[],
): Promise<void> {
  const inside = `/top/${around.name}/`;
  const listOutside = async () =>
    (await owner.tree())
      .filter(({ path }) => !path.startsWith(inside))
      .map(({ path, size, directory }) => ({ path, size, directory }));
  const before = await listOutside();
  const targets = targetsOf(around);
  for (const { target, how } of attempts) {
    const { text } = spell(targets[target % targets.length] ?? [], how);
    const { status } = await visitor.send('sent', 'new', { path: text });
    assert.ok([200, 400, 409].includes(status), `${text}: ${status}`);
  }
  assert.deepEqual(await listOutside(), before);
}
