// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { chosenOf } from '../entries/entry-source.ts';
import { mayEdit } from './may-edit.ts';

/** Drive 1 is the personal one. */
const toEntry = (id: number, driveId: number) =>
  ({ id, driveId, ...(driveId === 1 ? {} : { changedBy: null }) }) as EntryRecord;

test('in a list of several drives, the drive of each chosen entry decides', () => {
  const [mine, edited, viewed] = [toEntry(5, 1), toEntry(6, 2), toEntry(7, 3)];
  const entries = [mine, edited, viewed];
  const parts = {
    source: { total: 3, loaded: () => entries.map((entry, index) => ({ index, entry })) },
    drive: 3,
    isAcrossDrives: true,
    canEdit: (drive: number | undefined) => drive !== 3,
  };
  assert.deepEqual(
    [[mine], [edited], [viewed], [mine, edited], [mine, viewed]].map((chosen) =>
      mayEdit(chosenOf(chosen), parts),
    ),
    [true, true, false, true, false],
  );
  // In a list of one drive, the drives of the entries do not matter.
  assert.equal(mayEdit(chosenOf([mine, edited]), { ...parts, isAcrossDrives: false }), false);
});
