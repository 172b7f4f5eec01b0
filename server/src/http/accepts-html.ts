import type { IncomingMessage } from 'node:http';

/** Whether the client accepts an HTML page, as browsers do when they open an address. */
export function acceptsHtml({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}
