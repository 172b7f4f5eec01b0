import { isUtf8 } from 'node:buffer';

/**
 * The text of a header whose bytes are UTF-8, which most clients send. Node decodes headers as Latin-1.
 * Undefined if they are something else.
 */
export function decodeHeader(header: string): string | undefined {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/**
 * Tells a client what its user must do first, if the code of the error does not say it:
 * `new-password` and `second-factor` with 403, `login` with the 401 of a login that has to be started again.
 */
export const REQUIRED_HEADER = 'x-service-required';
