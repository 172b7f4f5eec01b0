// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from './place-of.ts';

test('a page is recognised by its address', () => {
  assert.deepEqual(placeOf('/recent'), { place: 'recent' });
  assert.deepEqual(placeOf('/photos'), { place: 'photos' });
  assert.deepEqual(placeOf('/profile'), { place: 'profile' });
  assert.deepEqual(placeOf('/profile/security'), { place: 'security' });
  assert.deepEqual(placeOf('/admin/users'), { place: 'admin' });
  assert.deepEqual(placeOf('/drive'), { place: 'drive' });
  assert.deepEqual(placeOf('/drive/'), { place: 'drive' });
});

test('a directory is shown with its name', () => {
  assert.deepEqual(placeOf('/drive/Pictures/%E5%A4%8F%20100%25'), { name: '夏 100%' });
  assert.deepEqual(placeOf('/drive/100%'), { name: '100%' });
});
