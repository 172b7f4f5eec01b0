import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import path from 'node:path';
import { createServer as createVite, type Plugin, type ViteDevServer } from 'vite';
import { acceptsHtml } from '../../server/src/http/accepts-html.ts';
import { isDrivesPage, isDrivesUrl } from '../../server/src/site/drives-page.ts';
import { NOT_PAGES } from '../../server/src/site/not-pages.ts';
import { forward } from './forward.ts';

const root = path.join(import.meta.dirname, '..', '..');

/**
 * Vite serves only files in these folders: by default, the data directory is in the root of the repository.
 */
const SERVED_FOLDERS = ['web', 'client/src', 'node_modules', '.cache/vite'].map((each) =>
  path.join(root, each),
);

const SERVICE_SOURCES = path.join(root, 'server', 'src');
const TEST = /\.test\.ts$/;

/** Only Vite uses WebSockets. */
const VITE_SOCKET = /^vite-/;

/**
 * Not served. A built client may have left a service worker in the browser. It would update itself, and store
 * the dev server's page for offline use.
 */
const SERVICE_WORKER = '/service-worker.js';

/** Listens on the single address. Vite serves the web client, and the service answers everything else. */
interface DevServer {
  /** Such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * @param options.allowedHosts host names to allow besides `localhost`; numeric addresses are always allowed
 * @param options.servicePort the port of this machine on which the service will listen
 * @param options.onServiceChange called when a file of the service has changed
 * @throws Error if the address is in use
 */
export async function startDevServer(options: {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly servicePort: number;
  readonly onServiceChange: () => void;
}): Promise<DevServer> {
  const server = createServer({
    // Disabled, because an upload may take hours.
    requestTimeout: 0,
    // A request that offers another protocol, such as HTTP/2, gets a normal response.
    shouldUpgradeCallback: ({ headers }) => VITE_SOCKET.test(headers['sec-websocket-protocol'] ?? ''),
  });
  const vite = await createViteIn(server, options);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === SERVICE_WORKER) return response.writeHead(404).end();
    if (isForService(request)) return forward(request, response, options.servicePort);
    // All pages are the same. If Vite saw the real path, it would take a folder named `node.js` for a module.
    if (acceptsHtml(request)) request.url = '/';
    return vite.middlewares(request, response);
  };
  // `checkContinue` lets the service, not this server, send 100 Continue.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, answer);
  await once(server.listen(options.port, options.host), 'listening');
  return {
    origin: originOf(server),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, vite.close()]);
    },
  };
}

function createViteIn(
  server: Server,
  options: { readonly allowedHosts: readonly string[]; readonly onServiceChange: () => void },
): Promise<ViteDevServer> {
  return createVite({
    root: path.join(root, 'web'),
    configFile: path.join(root, 'web', 'vite.config.ts'),
    cacheDir: path.join(root, '.cache', 'vite'),
    clearScreen: false,
    plugins: [watchService(options.onServiceChange)],
    server: {
      middlewareMode: true,
      ws: { server },
      allowedHosts: [...options.allowedHosts],
      // Pages of other origins must not read the sources.
      cors: false,
      fs: { allow: SERVED_FOLDERS },
    },
  });
}

/**
 * Uses Vite's watcher: `node --watch` misses changes after a failed start, and `fs.watch` misses changes to a
 * file that an editor has replaced.
 */
function watchService(onChange: () => void): Plugin {
  return {
    name: 'watch-service',
    configureServer({ watcher }) {
      watcher.add(SERVICE_SOURCES);
      watcher.on('all', (_, file) => {
        if (file.startsWith(SERVICE_SOURCES) && !TEST.test(file)) onChange();
      });
    },
  };
}

/** Whether the service answers a request. Vite answers only those for web client pages and their modules. */
function isForService(request: IncomingMessage): boolean {
  const { method = 'GET', url = '/' } = request;
  if (NOT_PAGES.test(url) || !['GET', 'HEAD'].includes(method)) return true;
  if (isDrivesUrl(url)) return !isDrivesPage(request);
  return url === '/' && !acceptsHtml(request);
}

function originOf(server: Server): string {
  // A server that listens on a port has such an address.
  const { address, port } = server.address() as AddressInfo;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
