// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { chosenOf } from '../../entries/entry-source.ts';
import { actionsFor } from './entry-actions.ts';

const OPTIONS = { canReveal: false, canEdit: true, canShareWithPeople: true, isCounting: false };
const entries = ['letter.txt', 'archive.zip', 'Folder'].map(
  (filename, id) => ({ id, filename, directory: !filename.includes('.') }) as EntryRecord,
);
const choices = [...entries.map((entry) => chosenOf([entry])), chosenOf(entries)];

test('in the menu of entries, only the deletion stands alone between separators', () => {
  for (const canEdit of [true, false]) {
    for (const chosen of choices) {
      const groups = actionsFor(chosen, { ...OPTIONS, canEdit });
      const alone = groups.filter(({ length }) => length === 1).flat();
      assert.deepEqual(alone, canEdit ? ['recycle'] : []);
    }
  }
});

test('the size of a folder can be counted, also by viewers, and a running count can be stopped', () => {
  const [file, , folder] = choices;
  const sizesOf = (chosen: typeof file, options: Partial<typeof OPTIONS>) =>
    actionsFor(chosen ?? assert.fail(), { ...OPTIONS, ...options })
      .flat()
      .filter((action) => action === 'countSize' || action === 'stopCounting');
  assert.deepEqual(sizesOf(file, {}), []);
  assert.deepEqual(sizesOf(folder, { canEdit: false }), ['countSize']);
  assert.deepEqual(sizesOf(folder, { isCounting: true }), ['stopCounting']);
});
