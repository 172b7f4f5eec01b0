import { ApiError } from '../../api/api-error.ts';
import type { RegisterBody } from '../../api/contract.ts';

/** The beginnings of the sentences with which the service refuses a registration, and the field that each is about. */
const FIELDS: readonly (readonly [RegExp, keyof RegisterBody])[] = [
  [/^(The|This) username /, 'username'],
  [/^(The|This) e-mail address /, 'email'],
  [/^(The|This) phone number /, 'phoneNumber'],
  [/^The password /, 'password'],
  [/^The two passwords /, 'confirmPassword'],
  [/^The invite code /, 'inviteCode'],
];

/** The field of a registration that the service refused; undefined if it refused for another reason. */
export function findRefusedField(error: unknown): keyof RegisterBody | undefined {
  if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return undefined;
  return FIELDS.find(([sentence]) => sentence.test(error.message))?.[1];
}
