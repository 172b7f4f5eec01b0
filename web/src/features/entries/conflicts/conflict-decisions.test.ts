// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConflictRule } from '../../../../../client/src/client.ts';
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

function newDecisions(answers: readonly ConflictAnswer[]) {
  const asked: string[] = [];
  const decisions = new ConflictDecisions(3, async ({ name }) => {
    const answer = answers[asked.length];
    asked.push(name);
    await nextTurn();
    if (answer === undefined) throw new Error('There is no answer left.');
    return answer;
  });
  return { asked, decisions };
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
    { decision: 'keep-both', isForAll: false },
    { decision: 'replace', isForAll: false },
    { decision: 'skip', isForAll: false },
  ]);
  await decisions.run(conflictOf('a'), act('a'));
  await decisions.run(conflictOf('b'), act('b'));
  await assert.rejects(decisions.run(conflictOf('c'), act('c')), Skipped);
  assert.deepEqual(done, ['a:RENAME', 'b:REPLACE']);
});

test('a decision for all also applies to conflicts that have not been asked about yet', async () => {
  const { done, act } = newDrive(['a', 'b', 'c']);
  const { asked, decisions } = newDecisions([{ decision: 'replace', isForAll: true }]);
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
  const { decisions } = newDecisions([{ decision: 'replace', isForAll: false }]);
  const refuse = () => Promise.reject(errorOf(409, 'taken'));
  await assert.rejects(decisions.run(conflictOf('a'), refuse), { status: 409 });
});
