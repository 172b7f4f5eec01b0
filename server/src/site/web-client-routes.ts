import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fastifyStatic } from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { Ids } from '../base/ids.ts';
import type { Server } from '../http/server.ts';

/** Where the client shows something of its own. It reads the rest of the address by itself. */
const PAGES = [
  ...['drive', 'recent', 'search', 'bin', 'shared', 'tasks', 'profile', 'admin', 'login', 'register'],
  // What people send each other: a share, a legacy share link, a pickup code.
  ...['s', 'l', 'transfer'],
];

const NONCE_BITS = 128;
const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The page, in the pieces between which each answer has a nonce of its own. */
export interface WebClient {
  readonly directory: string;
  readonly page: readonly string[];
}

/** What was built into the directory; undefined where nothing was. */
export function findWebClient(directory: string): WebClient | undefined {
  const index = path.join(directory, 'index.html');
  if (!existsSync(index)) return undefined;
  return { directory, page: readFileSync(index, 'utf8').split('STYLE_NONCE') };
}

/** Sends the page of the client. */
export type SendPage = (reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Serves the web client: one page at each of its addresses, and the files that it loads.
 *
 * @param storeOrigins where the browser may also send parts to and show files from: the buckets, when bytes
 * lie in some
 */
export async function serveWebClient(
  server: Server,
  { directory, page }: WebClient,
  { ids, storeOrigins }: { ids: Ids; storeOrigins: () => Promise<readonly string[]> },
): Promise<SendPage> {
  const access = 'public';
  const send: SendPage = async (reply) => {
    const nonce = ids.token(NONCE_BITS);
    return reply
      .headers({
        'content-security-policy': policyOf(nonce, await storeOrigins()),
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-cache',
        vary: 'Accept',
      })
      .type('text/html; charset=utf-8')
      .send(page.join(nonce));
  };
  for (const name of PAGES) {
    for (const url of [`/${name}`, `/${name}/*`]) {
      server.get(url, { config: { access }, schema: { hide: true } }, async (_request, reply) => send(reply));
    }
  }
  await server.register(async (files) => {
    // The routes come from the package: none of them says who may call it.
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, access };
      route.schema = { ...route.schema, hide: true };
    });
    // A file whose name holds the hash of what is in it never changes.
    await files.register(fastifyStatic, {
      root: path.join(directory, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: A_YEAR_SECONDS * 1000,
      index: false,
      preCompressed: true,
    });
    await files.register(fastifyStatic, {
      root: path.join(directory, 'web'),
      prefix: '/web/',
      maxAge: '1h',
      index: false,
      decorateReply: false,
    });
  });
  return send;
}

/**
 * Nothing runs that was not built, and nothing is asked of anybody else. The component library writes a style
 * element, which carries the nonce.
 */
function policyOf(nonce: string, storeOrigins: readonly string[]): string {
  const store = storeOrigins.map((origin) => ` ${origin}`).join('');
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data:${store}`,
    `media-src 'self' blob:${store}`,
    `connect-src 'self'${store}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    'frame-src blob:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
