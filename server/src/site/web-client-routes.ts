import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fastifyStatic } from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ids } from '../base/ids.ts';
import { escapeHtml } from '../base/text/escapes.ts';
import { acceptsHtml } from '../http/accepts-html.ts';
import { type FindLinkPreview, type LinkPreview, toMetaTags } from '../http/link-preview.ts';
import type { Server } from '../http/server.ts';
import { DRIVES, isDrivesPage } from './drives-page.ts';
import { NOT_PAGES } from './not-pages.ts';

/** The first segment of the URLs that the client handles. The client itself parses the rest of the URL. */
export const PAGES: readonly string[] = [
  ...['drive', 'recent', 'photos', 'starred', 'search', 'bin', 'shared', 'tasks', 'profile', 'connect'],
  ...[DRIVES, 'admin', 'login', 'register', 'new-password', 'second-factor', 'save-shared'],
  // The pages for a forgotten password and for the links in mails.
  ...['forgot-password', 'reset-password', 'verify-email'],
  // URLs that people send each other: a share, a legacy share link, a folder link, and two URLs of a transfer
  // with a pickup code.
  ...['s', 'l', 'f', 'transfer', 't'],
];

/** The scripts of workers, in any encoding. */
const WORKER = /-worker-[\w-]+\.js(?:\.\w+)?$/;
/**
 * A worker only computes and requests nothing. It is not sandboxed, so that it can use the keys of its page.
 */
const WORKER_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** The PDF worker loads decoders for some pictures, which are our own scripts. */
const PDF_WORKER = /^pdf-worker-/;
const PDF_WORKER_POLICY = `script-src 'self'; ${WORKER_POLICY}`;

/** The name of the file, and its address, at which browsers also look for the next version. */
const SERVICE_WORKER = 'service-worker.js';
/** The service worker fetches the page and the files of the client, and shows the icon in notifications. */
const SERVICE_WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; img-src 'self'; frame-ancestors 'none'";

const NONCE_BITS = 128;
const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The built web client. */
export interface WebClient {
  readonly directory: string;
  /** The HTML, split where each response inserts its nonce. */
  readonly page: readonly string[];
}

/** Reads the web client that was built into the directory; undefined if there is none. */
export function findWebClient(directory: string): WebClient | undefined {
  const index = path.join(directory, 'index.html');
  if (!existsSync(index)) return undefined;
  return { directory, page: readFileSync(index, 'utf8').split('STYLE_NONCE') };
}

/** Finds what the page shows of the instance. */
export type FindInstance = () => Promise<{
  readonly name: string;
  readonly greeting: string | null;
  readonly logoUrl: string | null;
}>;

/** Sends the page of the client. */
export type SendPage = (reply: FastifyReply, preview?: LinkPreview) => Promise<FastifyReply>;

/**
 * Serves the web client: the same page at each of its URLs, and the files that the page loads.
 * @param storeOrigins the origins of the buckets, if there are any: browsers upload to them and load files
 * from them
 */
export async function serveWebClient(
  server: Server,
  { directory, page }: WebClient,
  {
    ids,
    storeOrigins,
    findPreview,
    findInstance,
  }: {
    ids: Ids;
    storeOrigins: () => Promise<readonly string[]>;
    findPreview: FindLinkPreview;
    findInstance: FindInstance;
  },
): Promise<SendPage> {
  const config = { access: 'public', appPassword: 'read' } as const;
  const send: SendPage = async (reply, preview) => {
    const nonce = ids.token(NONCE_BITS);
    const [instance, origins] = await Promise.all([findInstance(), storeOrigins()]);
    return reply
      .headers({
        'content-security-policy': policyOf(nonce, origins),
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-cache',
        vary: 'Accept, Authorization',
      })
      .type('text/html; charset=utf-8')
      .send(insertTags(page.join(nonce), instance, preview));
  };
  tellDrivesPages(server);
  for (const name of PAGES) {
    const constraints = name === DRIVES ? { [DRIVES_PAGE]: true } : {};
    for (const url of [`/${name}`, `/${name}/*`]) {
      server.get<{ Params: { '*'?: string } }>(
        url,
        { config, schema: { hide: true }, constraints },
        async (request, reply) => send(reply, await findPreview({ name, key: request.params['*'] ?? '' })),
      );
    }
  }
  const worker = readFileSync(path.join(directory, SERVICE_WORKER), 'utf8');
  // At the root, because a service worker serves only pages below its own address.
  const code = { ...config, servesCode: true } as const;
  server.get(`/${SERVICE_WORKER}`, { config: code, schema: { hide: true } }, (_request, reply) =>
    reply
      .headers({ 'content-security-policy': SERVICE_WORKER_POLICY, 'cache-control': 'no-cache' })
      .type('text/javascript; charset=utf-8')
      .send(worker),
  );
  // People who follow a broken link get the client's own error page.
  server.notFoundPage = { matches: isPageRequest, send: (reply) => send(reply.code(404)) };
  await server.register(async (files) => {
    // Adds the access rules that the package does not set when it mounts these routes.
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...code };
      route.schema = { ...route.schema, hide: true };
    });
    // The name of each asset contains a hash of its content, so the content never changes.
    await files.register(fastifyStatic, {
      root: path.join(directory, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: A_YEAR_SECONDS * 1000,
      index: false,
      preCompressed: true,
      setHeaders: (reply, file) => {
        if (!WORKER.test(file)) return;
        const policy = PDF_WORKER.test(path.basename(file)) ? PDF_WORKER_POLICY : WORKER_POLICY;
        reply.header('content-security-policy', policy);
      },
    });
    const frames = listDocumentFrames(path.join(directory, 'frames'));
    await files.register(fastifyStatic, {
      root: path.join(directory, 'frames'),
      prefix: '/frames/',
      // The names of these files stay the same, so browsers must ask whether there is a new version.
      cacheControl: false,
      index: false,
      preCompressed: true,
      decorateReply: false,
      setHeaders: (reply, file) => {
        reply.header('cache-control', 'no-cache');
        const frame = frames.get(path.basename(file).replace(/\.(?:br|gz)$/, ''));
        if (frame !== undefined) reply.header('content-security-policy', frame.policy);
        reply.header('x-frame-options', 'SAMEORIGIN');
      },
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

const DRIVES_PAGE = 'drivesPage';

/** Lets the pages of shared drives have the addresses that WebDAV uses for all other requests. */
function tellDrivesPages(server: Server): void {
  server.addConstraintStrategy({
    name: DRIVES_PAGE,
    storage: () => {
      const handlers = new Map<unknown, never>();
      return {
        get: (isPage) => handlers.get(isPage) ?? null,
        set: (isPage, handler) => void handlers.set(isPage, handler as never),
      };
    },
    deriveConstraint: (request) => isDrivesPage(request) || undefined,
    mustMatchWhenDerived: false,
  });
}

/** The page with what its first view shows of the instance, so that nothing changes when it is drawn. */
function insertTags(
  page: string,
  instance: Awaited<ReturnType<FindInstance>>,
  preview: LinkPreview | undefined,
): string {
  const facts = escapeHtml(JSON.stringify(instance));
  const tags = `<meta name="instance" content="${facts}" />${preview ? toMetaTags(preview, instance.name) : ''}`;
  // Functions, because some characters would have a special meaning in a replacement text.
  return page
    .replace(/<title>.*<\/title>/, () => `<title>${escapeHtml(instance.name)}</title>`)
    .replace('</head>', () => `${tags}</head>`);
}

/**
 * Whether a browser requests a page, as opposed to a program or a page's script that requests something else.
 */
function isPageRequest(request: FastifyRequest): boolean {
  return acceptsHtml(request) && !NOT_PAGES.test(request.url);
}

/**
 * The policy of the client's page. Only built scripts may run, and the page may contact only this server and
 * the buckets. The nonce is for a style element that the component library inserts.
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
    // For the frames of documents. No other page of this origin can be framed.
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** A page of the client that shows a user's document in a frame. */
interface DocumentFrame {
  /** Its Content-Security-Policy. */
  readonly policy: string;
}

/** Lists the pages in the directory, by their file names. */
function listDocumentFrames(directory: string): ReadonlyMap<string, DocumentFrame> {
  const frames = new Map<string, DocumentFrame>();
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    if (!name.endsWith('.html')) continue;
    const page = readFileSync(path.join(directory, name), 'utf8');
    frames.set(name, { policy: documentPolicyOf(page) });
  }
  return frames;
}

/**
 * Documents are not trusted. So their page has no access to this origin, as if it came from elsewhere. It
 * runs only its own script, and loads nothing: pictures and fonts are parts of the document. Links that
 * people click open in new tabs.
 */
function documentPolicyOf(page: string): string {
  const script = page.slice(page.indexOf('<script>') + '<script>'.length, page.lastIndexOf('</script>'));
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    // The layout of a document needs styles that are generated from it.
    "style-src 'unsafe-inline'",
    'img-src blob: data:',
    'font-src blob: data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}
