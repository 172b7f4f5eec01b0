import type { RegisterBody } from '../../../../client/src/client.ts';
import { HoldallError } from '../../../../client/src/errors/errors.ts';

/*
 * Finds faults in form values before they are sent. The rules are in docs/api.md, "Accounts and sessions".
 * Only the service knows which names are taken and which passwords are too common.
 */

/** Faults, named after the messages in `auth` that describe them. */
export type Fault =
  | 'faultUsername'
  | 'faultEmail'
  | 'faultPhoneNumber'
  | 'faultPasswordShort'
  | 'faultPasswordLong'
  | 'faultPasswordIsName'
  | 'faultInviteCode'
  | 'faultDisplayName'
  | 'faultBio'
  | 'faultMissing'
  | 'passwordsDiffer';

/** What people enter to register. */
export type RegistrationForm = Omit<RegisterBody, 'preferredLanguage' | 'confirmPassword'>;

const USERNAME = /^[A-Za-z0-9._-]{3,64}$/;
/** Text, an at sign, and a domain with a dot. The service checks the rest. */
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;
const MAX_EMAIL = 128;
const PHONE_NUMBER = /^\+?\d{5,20}$/;
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 128;
const MAX_DISPLAY_NAME = 64;
export const MAX_BIO = 280;

export function findUsernameFault(text: string): Fault | undefined {
  return USERNAME.test(text) ? undefined : 'faultUsername';
}

export function findEmailFault(text: string): Fault | undefined {
  const email = text.trim();
  return lengthOf(email) <= MAX_EMAIL && EMAIL.test(email) ? undefined : 'faultEmail';
}

export function findPhoneNumberFault(text: string): Fault | undefined {
  return PHONE_NUMBER.test(text.replace(/[\s.()[\]\-\u2010-\u2015\u2212\p{Cf}]/gu, ''))
    ? undefined
    : 'faultPhoneNumber';
}

export function findPasswordFault(password: string, username: string): Fault | undefined {
  const length = lengthOf(password);
  if (length < MIN_PASSWORD) return 'faultPasswordShort';
  if (length > MAX_PASSWORD) return 'faultPasswordLong';
  return password.toLowerCase() === username.toLowerCase() ? 'faultPasswordIsName' : undefined;
}

export function findDisplayNameFault(text: string): Fault | undefined {
  const length = lengthOf(text.trim());
  return length >= 1 && length <= MAX_DISPLAY_NAME ? undefined : 'faultDisplayName';
}

export function findBioFault(text: string): Fault | undefined {
  return lengthOf(text.trim()) <= MAX_BIO ? undefined : 'faultBio';
}

/** The faults of a password that is typed twice. */
export function findNewPasswordFaults(password: string, confirmPassword: string, username: string) {
  return {
    password: missingOr(password, findPasswordFault(password, username)),
    confirmPassword: missingOr(confirmPassword, confirmPassword === password ? undefined : 'passwordsDiffer'),
  };
}

/** For an empty required field, says that it is empty instead of what it may contain. */
export function missingOr(text: string, fault: Fault | undefined): Fault | undefined {
  return text.trim() === '' ? 'faultMissing' : fault;
}

export function findRegistrationFaults(
  body: RegistrationForm,
): Partial<Record<keyof RegistrationForm, Fault>> {
  return withoutNone({
    inviteCode: body.inviteCode.trim() === '' ? 'faultInviteCode' : undefined,
    username: missingOr(body.username, findUsernameFault(body.username)),
    email: missingOr(body.email, findEmailFault(body.email)),
    phoneNumber: missingOr(body.phoneNumber, findPhoneNumberFault(body.phoneNumber)),
    password: missingOr(body.password, findPasswordFault(body.password, body.username)),
  });
}

/** Removes the fields without a fault. */
export function withoutNone<Key extends string>(
  faults: Record<Key, Fault | undefined>,
): Partial<Record<Key, Fault>> {
  const found: Partial<Record<Key, Fault>> = {};
  for (const name in faults) {
    const fault = faults[name];
    if (fault !== undefined) found[name] = fault;
  }
  return found;
}

/** The number of characters as people count them, approximately. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** The form field whose value the service rejected; undefined for other reasons. */
export function refusedField<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Field | undefined {
  return error instanceof HoldallError ? fields.find((name) => name === error.field) : undefined;
}
