// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import { ConflictDecisions } from '../../entries/conflicts/conflict-decisions.ts';
import { DriveImport, type ImportState } from './drive-import.ts';
import type { ImportSource } from './import-sources.ts';

interface Scene {
  /** Replaces the step that puts each file into the drive. */
  readonly put?: (name: string, rule: string) => Promise<void>;
  readonly prepare?: (name: string) => Promise<void>;
}

/** Imports three files of 100 bytes. */
function start(scene: Scene = {}, answer: 'keep-both' | 'skip' = 'keep-both') {
  const log: string[] = [];
  const ended: ImportState[] = [];
  const sources = ['a', 'b', 'c'].map((name): ImportSource => {
    return {
      path: ['Trip', name],
      size: 100,
      preparation: 0.5,
      prepare: async ({ signal, onPart }) => {
        onPart(1);
        await scene.prepare?.(name);
        signal.throwIfAborted();
        return async ({ drive, directory, onConflict }, { onPart: onSent }) => {
          await scene.put?.(name, onConflict);
          onSent(1);
          assert.equal(drive, 12);
          log.push(`${directory}/${name} ${onConflict}`);
        };
      },
      release: async () => void log.push(`release ${name}`),
    };
  });
  const decisions = new ConflictDecisions('several', {
    ask: async () => ({ decision: answer }),
    find: async () => undefined,
  });
  const onEnd = (state: ImportState) => void ended.push(state);
  const started = new DriveImport({
    sources,
    target: { drive: 12, directory: '/Documents' },
    onEnd,
    decisions,
  });
  return { started, log, ended };
}

const statuses = (state: ImportState) => state.files.map(({ status }) => status);

test('files are imported one after another into their folders, and each is released', async () => {
  const { started, log, ended } = start();
  await started.start();
  const state = started.snapshot();
  assert.deepEqual(statuses(state), ['done', 'done', 'done']);
  assert.deepEqual([state.doneBytes, state.totalBytes, state.isRunning], [300, 300, false]);
  assert.deepEqual(log.slice(0, 2), ['/Documents/Trip/a FAIL', 'release a']);
  assert.equal(log.length, 6);
  assert.deepEqual(ended, [state]);
});

test('the progress of a file counts its preparation', async () => {
  let half: ImportState | undefined;
  const { started } = start({
    put: async (name) => {
      if (name !== 'b') return;
      await new Promise<void>((resolve) => {
        started.subscribe(() => started.snapshot().done[1] === 50 && resolve());
      });
      half = started.snapshot();
    },
  });
  await started.start();
  assert.deepEqual(half?.done, [100, 50, 0]);
  assert.deepEqual(half && statuses(half), ['done', 'running', 'waiting']);
});

test('a failed file is reported, does not stop the others, and can be retried', async () => {
  let isFull = true;
  const refusal = errorOf(413, 'There is not enough storage space left for this.');
  const { started, log } = start({
    put: async (name) => {
      if (name === 'b' && isFull) throw refusal;
    },
  });
  await started.start();
  const state = started.snapshot();
  assert.deepEqual(statuses(state), ['done', 'failed', 'done']);
  assert.equal(state.files[1]?.error, refusal);
  assert.deepEqual([state.count.failed, state.doneBytes], [1, 200]);
  isFull = false;
  log.length = 0;
  await started.start();
  assert.deepEqual(statuses(started.snapshot()), ['done', 'done', 'done']);
  assert.deepEqual(log, ['/Documents/Trip/b FAIL', 'release b']);
});

test('a cancelled import can be continued with the remaining files', async () => {
  const { started, log, ended } = start({
    prepare: async (name) => {
      if (name === 'b' && ended.length === 0) started.cancel();
    },
  });
  await started.start();
  assert.deepEqual(statuses(started.snapshot()), ['done', 'waiting', 'waiting']);
  assert.deepEqual(log, ['/Documents/Trip/a FAIL', 'release a', 'release b']);
  await started.start();
  assert.deepEqual(statuses(started.snapshot()), ['done', 'done', 'done']);
  assert.equal(ended.length, 2);
});

for (const [answer, status, rule] of [
  ['keep-both', 'done', 'RENAME'],
  ['skip', 'skipped', undefined],
] as const) {
  test(`a taken name is resolved as the user decides: ${answer}`, async () => {
    const { started, log } = start(
      {
        put: async (name, used) => {
          if (name === 'a' && used === 'FAIL') throw errorOf(409, 'taken');
        },
      },
      answer,
    );
    await started.start();
    assert.deepEqual(statuses(started.snapshot()), [status, 'done', 'done']);
    const own = log.filter((line) => line.startsWith('/Documents/Trip/a'));
    assert.deepEqual(own, rule === undefined ? [] : [`/Documents/Trip/a ${rule}`]);
  });
}
