// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropFolder, readDropFolder } from './drop-folder.ts';

test('an element names a directory of the personal drive or of a shared one', () => {
  for (const drive of [undefined, 12]) {
    const { 'data-drop-path': dropPath, 'data-drop-drive': key } = dropFolder({ drive, directory: '/a' });
    assert.deepEqual(readDropFolder({ dropPath, dropDrive: String(key) }), { drive, directory: '/a' });
  }
  assert.equal(readDropFolder({}), undefined);
});
