import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';

/** Without those that look like others. As many as five bits tell apart. */
const SYMBOLS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 6;

/** One of a billion, from the CSPRNG, each as likely as any other. */
export function newPickupCode(ids: Ids): string {
  const bytes = Buffer.from(ids.token(LENGTH * 8), 'base64url');
  return Array.from(bytes, (byte) => SYMBOLS.charAt(byte % SYMBOLS.length)).join('');
}

/**
 * A code as somebody typed it: in any case, with blanks and dashes wherever they put them.
 * @throws Failure `invalid` when it has not the length of one
 */
export function toPickupCode(text: string): string {
  const code = text.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();
  if (code.length !== LENGTH) throw new Failure('invalid', `A pickup code has ${LENGTH} characters.`);
  return code;
}

/** Whether there can be such a code. */
export function isPickupCode(code: string): boolean {
  return code.length === LENGTH && Array.from(code).every((symbol) => SYMBOLS.includes(symbol));
}
