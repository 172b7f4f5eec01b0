import assert from 'node:assert/strict';
import { systemIds } from '../../../src/base/ids.ts';
import { SecretBox } from '../../../src/base/secret-box.ts';
import { openLetter } from '../../../src/mail/letters/sealed-letter.ts';
import type { Letter } from '../../../src/mail/mail.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';

/** Turns mail on, with a server that refuses every connection. So all letters stay in the database. */
export const MAIL_ENVIRONMENT = {
  HOLDALL_PUBLIC_URL: 'https://drive.example.org',
  HOLDALL_SMTP_URL: 'smtp://127.0.0.1:1',
  HOLDALL_MAIL_FROM: 'holdall@example.org',
};

/** A letter in the queue. */
interface QueuedLetter {
  readonly accountId: number | null;
  readonly language: string;
  readonly letter: Letter;
}

/** The letters to an address that wait to be sent, oldest first. */
export async function lettersTo({ app }: Holdall, address: string): Promise<readonly QueuedLetter[]> {
  const box = new SecretBox(app.secrets.jwtSecret, 'holdall mail', systemIds);
  const rows = await app.database.db
    .selectFrom('mail')
    .select(['account_id as accountId', 'address', 'kind', 'language', 'sealed_data as sealedData'])
    .where('address', '=', address)
    .where('failed_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ accountId, language, kind, sealedData }) => {
    const letter = openLetter(box, { address, kind, sealedData: sealedData ?? '' });
    assert(letter, 'the letter can be opened');
    return { accountId, language, letter };
  });
}

/** The token of the newest letter of this kind to the address. */
export async function tokenMailedTo(
  holdall: Holdall,
  address: string,
  kind: 'VERIFICATION' | 'PASSWORD_RESET',
): Promise<string> {
  const newest = (await lettersTo(holdall, address)).findLast(({ letter }) => letter.kind === kind);
  assert(newest !== undefined && 'token' in newest.letter, `a letter ${kind} was mailed to ${address}`);
  return newest.letter.token;
}

export const emailOf = (person: Person) => `${person.username}@example.org`;

/** Verifies the address that the person registered with. Returns it. */
export async function verifyEmail(holdall: Holdall, person: Person): Promise<string> {
  const email = emailOf(person);
  const token = await tokenMailedTo(holdall, email, 'VERIFICATION');
  await holdall.anonymous.ask('POST', '/api/auth/email-verification/confirm', { body: { token } });
  return email;
}

/** Asks for a new password, and returns the token that was mailed. */
export async function mailReset(holdall: Holdall, email: string): Promise<string> {
  await holdall.anonymous.ask('POST', '/api/auth/password-reset', { body: { email } });
  return tokenMailedTo(holdall, email, 'PASSWORD_RESET');
}
