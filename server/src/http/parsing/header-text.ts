import { isUtf8 } from 'node:buffer';

/**
 * The text of a header that was sent as UTF-8, as most clients do. Node decodes headers as Latin-1.
 * Undefined if the bytes are not UTF-8.
 */
export function decodeHeader(header: string): string | undefined {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/**
 * Tells a client what its user must do first, where the error code does not say it: `new-password` or
 * `second-factor` with 403, `login` with the 401 of a login that has to be started again.
 */
export const REQUIRED_HEADER = 'x-service-required';
