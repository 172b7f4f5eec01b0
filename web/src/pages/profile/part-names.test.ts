// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPart, partOfFragment } from './part-names.ts';

test('the address without a name is the profile, and unknown names are no parts', () => {
  assert.equal(findPart(undefined), 'profile');
  assert.equal(findPart('security'), 'security');
  for (const name of ['profile', '', 'logins']) assert.equal(findPart(name), undefined);
});

test('fragments of earlier addresses name the part that has their section now', () => {
  for (const [fragment, part] of [
    ['password', 'security'],
    ['security', 'security'],
    ['linked=true', 'security'],
    ['error=denied', 'security'],
    ['notifications', 'devices'],
    ['app-passwords', 'apps'],
    ['', undefined],
    ['passwords', undefined],
  ] as const)
    assert.equal(partOfFragment(fragment), part);
});
