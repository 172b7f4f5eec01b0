// What the tus figures are compared with: the reference server for Node (`@tus/server`) with its file store,
// at the service's path for uploads. Run as `tus-peer.ts DIRECTORY`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

const directory = process.argv[2] ?? '.';
const tus = new Server({ path: '/api/v2/files/tus', datastore: new FileStore({ directory }) });

const server = createServer((request, response) => {
  tus.handle(request, response).catch((error: unknown) => response.destroy(toError(error)));
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit());

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
