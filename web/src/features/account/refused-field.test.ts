import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../api/api-error.ts';
import { findRefusedField } from './refused-field.ts';

test('the sentence of a refused registration names its field', () => {
  const fieldOf = (sentence: string) => findRefusedField(new ApiError(409, sentence));
  assert.equal(fieldOf('This username is taken.'), 'username');
  assert.equal(fieldOf('This e-mail address belongs to another account.'), 'email');
  assert.equal(fieldOf('This phone number belongs to another account.'), 'phoneNumber');
  assert.equal(fieldOf('The password must not be the username.'), 'password');
  assert.equal(fieldOf('The invite code is not valid.'), 'inviteCode');
});

test('other errors belong to no field', () => {
  assert.equal(findRefusedField(new ApiError(409, 'Something else.')), undefined);
  assert.equal(findRefusedField(new ApiError(503, 'The password service is down.')), undefined);
  assert.equal(findRefusedField(new Error('The password is wrong.')), undefined);
});
