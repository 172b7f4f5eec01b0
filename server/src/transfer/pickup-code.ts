import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import { toSymbols } from '../base/text/typed-code.ts';

/** Digits and letters without those that look alike (0 and O, 1 and I): 32 symbols, five bits each. */
const SYMBOLS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 6;

/** A random code from the CSPRNG: one of a billion, all equally likely. */
export function newPickupCode(ids: Ids): string {
  const bytes = Buffer.from(ids.token(LENGTH * 8), 'base64url');
  return Array.from(bytes, (byte) => SYMBOLS.charAt(byte % SYMBOLS.length)).join('');
}

/**
 * Reads a code as a person typed or pasted it: in any case, of any width, with separators anywhere.
 * @throws Failure `invalid` when it does not have the length of a code
 */
export function toPickupCode(text: string): string {
  const code = toSymbols(text).toUpperCase();
  if (code.length !== LENGTH) throw new Failure('invalid', `A pickup code has ${LENGTH} characters.`);
  return code;
}

/** Whether the code could exist. Saves the query for one that cannot. */
export function isPickupCode(code: string): boolean {
  return code.length === LENGTH && Array.from(code).every((symbol) => SYMBOLS.includes(symbol));
}
