// The server that ours is compared with: plain node:http that does the minimum for each request. It has the
// same URLs as the service, so that both get the same bytes. Run as `bare-server.ts DIRECTORY`.
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const directory = process.argv[2] ?? '.';
let uploadCount = 0;

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, { code: 500, msg: String(error) });
  });
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '/';
  if (request.method === 'POST') return receive(request, response);
  if (url.startsWith('/api/files/download/')) return send(path.basename(url), request, response);
  sendJson(response, 200, { code: 0, msg: 'success', data: { status: 'ok', apiVersion: 'v2' } });
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  uploadCount += 1;
  await pipeline(request, createWriteStream(path.join(directory, `upload-${uploadCount}`)));
  sendJson(response, 200, { code: 0, msg: 'success', data: { id: uploadCount } });
}

async function send(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = path.join(directory, name);
  const { size } = await stat(file);
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const start = Number(range?.[1] ?? 0);
  const end = Number(range?.[2] ?? size - 1);
  response.writeHead(range === null ? 200 : 206, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': end - start + 1,
    ...(range === null ? {} : { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  });
  await pipeline(createReadStream(file, { start, end }), response);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
