import type { FastifyRequest } from 'fastify';

/** Whether the client accepts an HTML page, as browsers do when they open an address. */
export function acceptsHtml({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}
