import type { IncomingMessage } from 'node:http';

/** Whether the client accepts an HTML page, like a browser that opens an address. */
export function acceptsHtml({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}
