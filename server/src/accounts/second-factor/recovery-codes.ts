import type { Ids } from '../../base/ids.ts';
import { toSymbols } from '../../base/text/typed-code.ts';

/** How many codes an account gets. */
export const RECOVERY_CODES = 10;

/** Enough bits that no one can find a code from its hash, although the hash is fast. */
const CODE_BITS = 80;

/** Crockford's base 32, without the letters I, L, O and U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS_PER_DIGIT = 5n;
const LENGTH = CODE_BITS / Number(BITS_PER_DIGIT);
const FORM = new RegExp(`^[${DIGITS}]{${LENGTH}}$`);

/** A new code, in groups of four for people: `0123-4567-89AB-CDEF`. */
export function newRecoveryCode(ids: Ids): string {
  let number = BigInt(`0x${Buffer.from(ids.token(CODE_BITS), 'base64url').toString('hex')}`);
  let code = '';
  for (let position = 0; position < LENGTH; position += 1) {
    code = (DIGITS[Number(number & 31n)] ?? '') + code;
    number >>= BITS_PER_DIGIT;
  }
  return code.replaceAll(/(.{4})(?!$)/g, '$1-');
}

/**
 * Converts a typed code to the form that is hashed: without separators, in upper case, and with digits for
 * the letters that look like them. Returns undefined for text that is not a recovery code.
 */
export function toRecoveryCode(text: string): string | undefined {
  const code = toSymbols(text).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return FORM.test(code) ? code : undefined;
}
