// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConflictRule, EntryRecord } from '../../../../../client/src/client.ts';
import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import { ConflictDecisions, Skipped } from './conflict-decisions.ts';
import type { ConflictAnswer } from './conflict-questions.ts';

const conflictOf = (name: string) => ({ name, drive: undefined, directory: '/a', isDirectory: false });

/** A drive that rejects the names in `taken` under the rule FAIL. */
function newDrive(taken: readonly string[]) {
  const done: string[] = [];
  const act = (name: string) => async (rule: ConflictRule) => {
    if (rule === 'FAIL' && taken.includes(name)) throw errorOf(409, 'taken');
    done.push(`${name}:${rule}`);
    return name;
  };
  return { done, act };
}

/** @param existing what is found under a taken name, one after another; always the last one in the end */
function newDecisions(
  answers: readonly ConflictAnswer[],
  existing: readonly ('file' | 'folder')[] = ['file'],
) {
  const asked: string[] = [];
  const canReplace: (boolean | undefined)[] = [];
  const kinds = [...existing];
  const decisions = new ConflictDecisions('several', {
    ask: async (conflict) => {
      const answer = answers[asked.length];
      asked.push(conflict.name);
      canReplace.push(conflict.canReplace);
      await nextTurn();
      if (answer === undefined) throw new Error('There is no answer left.');
      return answer;
    },
    find: async () => {
      const kind = kinds.length > 1 ? kinds.shift() : kinds[0];
      return { directory: kind === 'folder' } as EntryRecord;
    },
  });
  return { asked, canReplace, decisions };
}

test('an entry without a conflict is changed without asking', async () => {
  const { done, act } = newDrive([]);
  const { asked, decisions } = newDecisions([]);
  assert.equal(await decisions.run(conflictOf('a'), act('a')), 'a');
  assert.deepEqual([done, asked], [['a:FAIL'], []]);
});

test('each decision is sent as its conflict rule', async () => {
  const { done, act } = newDrive(['a', 'b', 'c']);
  const { decisions } = newDecisions([
    { decision: 'keep-both' },
    { decision: 'replace' },
    { decision: 'skip' },
  ]);
  await decisions.run(conflictOf('a'), act('a'));
  await decisions.run(conflictOf('b'), act('b'));
  await assert.rejects(decisions.run(conflictOf('c'), act('c')), Skipped);
  assert.deepEqual(done, ['a:RENAME', 'b:REPLACE']);
});

test('a decision for all also applies to conflicts that have not been asked about yet', async () => {
  const { done, act } = newDrive(['a', 'b', 'c']);
  const { asked, decisions } = newDecisions([{ decision: 'replace', forAll: 'replace' }]);
  await Promise.all(['a', 'b', 'c'].map((name) => decisions.run(conflictOf(name), act(name))));
  assert.deepEqual(asked, ['a']);
  assert.deepEqual(done.sort(), ['a:REPLACE', 'b:REPLACE', 'c:REPLACE']);
});

test('only a taken name is a conflict', async () => {
  const { decisions } = newDecisions([]);
  const refuse = () => Promise.reject(errorOf(404, 'gone'));
  await assert.rejects(decisions.run(conflictOf('a'), refuse), { status: 404 });
});

test('a conflict that remains after the decision is an error', async () => {
  const { decisions } = newDecisions([{ decision: 'replace' }]);
  const refuse = () => Promise.reject(errorOf(409, 'taken'));
  await assert.rejects(decisions.run(conflictOf('a'), refuse), { status: 409 });
});

test('a file does not replace a folder, even if all are to be replaced', async () => {
  const { done, act } = newDrive(['a', 'b']);
  const { asked, decisions } = newDecisions(
    [{ decision: 'replace', forAll: 'replace' }],
    ['file', 'file', 'folder'],
  );
  await decisions.run(conflictOf('a'), act('a'));
  await decisions.run(conflictOf('b'), act('b'));
  assert.deepEqual(done, ['a:REPLACE', 'b:RENAME']);
  assert.deepEqual(asked, ['a']);
});

test('the user is asked again if a folder has got the name before the answer', async () => {
  const { done, act } = newDrive(['a']);
  const { canReplace, decisions } = newDecisions(
    [{ decision: 'replace' }, { decision: 'keep-both' }],
    ['file', 'folder'],
  );
  await decisions.run(conflictOf('a'), act('a'));
  assert.deepEqual(canReplace, [true, false]);
  assert.deepEqual(done, ['a:RENAME']);
});

describe('a folder whose name is taken', () => {
  const folder = { ...conflictOf('a'), isDirectory: true };
  const merge = async () => 'merged';

  test('is merged if the user decides so', async () => {
    const { act } = newDrive(['a']);
    const { asked, decisions } = newDecisions([{ decision: 'merge' }], ['folder']);
    assert.equal(await decisions.run(folder, act('a'), merge), 'merged');
    assert.deepEqual(asked, ['a']);
  });

  test('is merged if all files are to be replaced, but does not replace a file', async () => {
    const { done, act } = newDrive(['x', 'a', 'b']);
    const { decisions } = newDecisions(
      [{ decision: 'replace', forAll: 'replace' }],
      ['file', 'file', 'file', 'folder'],
    );
    await decisions.run(conflictOf('x'), act('x'));
    assert.equal(await decisions.run(folder, act('a'), merge), 'a');
    assert.equal(await decisions.run(folder, act('b'), merge), 'merged');
    assert.deepEqual(done, ['x:REPLACE', 'a:RENAME']);
  });
});
