import { isUtf8 } from 'node:buffer';

/**
 * The text of a header whose bytes are UTF-8, which most clients send. Node decodes headers as Latin-1.
 * Undefined if they are something else.
 */
export function decodeHeader(header: string): string | undefined {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}
