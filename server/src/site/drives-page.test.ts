// tier: default
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fastify } from 'fastify';
import { systemIds } from '../base/ids.ts';
import type { Server } from '../http/server.ts';
import { findWebClient, serveWebClient } from './web-client-routes.ts';

const directory = await mkdtemp(path.join(tmpdir(), 'holdall-pages-'));
after(() => rm(directory, { recursive: true }));
for (const name of ['assets', 'frames', 'web']) await mkdir(path.join(directory, name));
await writeFile(path.join(directory, 'index.html'), '<head></head>a page');
await writeFile(path.join(directory, 'service-worker.js'), '');

async function startServer(): Promise<Server> {
  const server = fastify() as unknown as Server;
  server.decorate('notFoundPage', undefined);
  const webClient = findWebClient(directory);
  assert.ok(webClient !== undefined);
  const options = {
    ...{ ids: systemIds, storeOrigins: async () => [], findPreview: async () => undefined },
    findInstance: async () => ({ name: 'Holdall', greeting: null, logoUrl: null }),
  };
  await serveWebClient(server, webClient, options);
  for (const url of ['/drives', '/drives/*']) {
    server.route({ method: ['GET', 'HEAD', 'DELETE'], url, handler: async () => 'WebDAV' });
  }
  return server;
}

test('a browser without credentials gets the page of shared drives, everything else is WebDAV', async () => {
  const server = await startServer();
  const ask = async (method: 'GET' | 'DELETE', url: string, headers: Record<string, string>) =>
    (await server.inject({ method, url, headers })).body;
  const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
  const authorization = 'Basic YTpi';
  for (const url of ['/drives', '/drives/', '/drives/Family/a%20b.txt', '/drives?x=/dav/']) {
    const page = await server.inject({ method: 'GET', url, headers: { accept } });
    assert.match(page.body, /a page/, url);
    assert.equal(page.headers.vary, 'Accept, Authorization');
    assert.equal(
      (await server.inject({ method: 'HEAD', url, headers: { accept } })).headers.vary,
      page.headers.vary,
    );
    assert.equal(await ask('GET', url, { accept, authorization }), 'WebDAV', url);
    assert.equal(await ask('GET', url, { accept: '*/*' }), 'WebDAV', url);
    assert.equal(await ask('GET', url, {}), 'WebDAV', url);
    assert.equal(await ask('DELETE', url, { accept }), 'WebDAV', url);
  }
  assert.match(await ask('GET', '/drive/drives', {}), /a page/, 'other pages have one address');
  await server.close();
});
