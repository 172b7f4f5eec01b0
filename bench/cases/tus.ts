import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { HttpConnection, headerOf } from '../load/http-connection.ts';
import { requireStatus } from '../load/load.ts';
import { streamedBytes } from '../load/requests.ts';
import { type Case, inTurnWithCpu } from '../report/figure.ts';
import { withCpu } from '../report/memory.ts';

const MEGABYTE = 1_000_000;
const CHUNK = randomBytes(1024 * 1024);
const PEER = path.join(import.meta.dirname, '..', 'peers', 'tus-peer.ts');
const VERSION = { 'tus-resumable': '1.0.0' };

/**
 * Uploads one file with the tus protocol, in one request like most clients, and compares the service with the
 * protocol's own server.
 */
export const tus: Case = {
  name: 'tus',
  measure: async (stage) => {
    const bytes = stage.scale.bigFileBytes;
    const rateWithCpu = (pid: number, port: number, headers: Readonly<Record<string, string>>) =>
      withCpu(pid, async () => ({ value: await rateOf(port, bytes, headers), operations: 1 }));
    const rates = await inTurnWithCpu(
      stage.scale.runs,
      () =>
        stage.withService(({ port, pid, token }) =>
          rateWithCpu(pid, port, { ...VERSION, authorization: `Bearer ${token}` }),
        ),
      () => stage.withPeer(PEER, ({ url, pid }) => rateWithCpu(pid, Number(url.port), VERSION)),
    );
    return [{ name: 'tus upload of 1 GiB', unit: 'MB/s', ...rates }];
  },
};

async function rateOf(port: number, bytes: number, headers: Readonly<Record<string, string>>) {
  const host = `127.0.0.1:${port}`;
  const connection = await HttpConnection.open(port);
  try {
    const start = performance.now();
    const location = await create(host, bytes, headers);
    const piece = streamedBytes(
      {
        method: 'PATCH',
        host,
        path: location.pathname,
        headers: { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      },
      CHUNK,
      bytes,
    );
    const answer = await connection.stream(piece);
    const seconds = (performance.now() - start) / 1_000;
    requireStatus(answer, 204, piece.head);
    const offset = Number(headerOf(answer, 'upload-offset'));
    if (offset !== bytes) throw new Error(`the server has ${offset} bytes of ${bytes}`);
    return bytes / MEGABYTE / seconds;
  } finally {
    connection.close();
  }
}

/**
 * Uses fetch, because the response has no body and may express that in a way the load client does not
 * support.
 */
async function create(host: string, bytes: number, headers: Readonly<Record<string, string>>): Promise<URL> {
  const metadata = `filename ${Buffer.from('big.bin').toString('base64')}`;
  const answer = await fetch(`http://${host}/api/v2/files/tus`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes), 'upload-metadata': metadata },
  });
  const location = answer.headers.get('location');
  if (answer.status !== 201 || location === null) {
    throw new Error(`the creation answered ${answer.status}: ${await answer.text()}`);
  }
  await answer.body?.cancel();
  return new URL(location, `http://${host}`);
}
