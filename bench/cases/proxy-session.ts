import { randomBytes } from 'node:crypto';
import { HttpConnection } from '../load/http-connection.ts';
import { requireStatus } from '../load/load.ts';
import { streamedFile, streamedUpload } from '../load/requests.ts';
import { type Case, inTurnWithCpu } from '../report/figure.ts';
import { withCpu } from '../report/memory.ts';
import type { Service } from '../service.ts';
import { completeSession, openSession } from '../upload-sessions.ts';

const MEGABYTE = 1_000_000;
const CHUNK = randomBytes(1024 * 1024);

/**
 * An upload session whose bytes pass through the service, from its creation to the file, each time with a
 * fresh server.
 */
export const proxySession: Case = {
  name: 'proxy-session',
  measure: async (stage) => {
    const bytes = stage.scale.bigFileBytes;
    const rates = await inTurnWithCpu(
      stage.scale.runs,
      () => stage.withService((service) => withCpu(service.pid, () => sendToService(service, bytes))),
      () => stage.withBare(({ port, pid }) => withCpu(pid, () => sendToBare(port, bytes))),
    );
    return [{ name: 'PROXY session of 1 GiB', unit: 'MB/s', ...rates }];
  },
};

async function sendToService(service: Service, bytes: number) {
  const connection = await HttpConnection.open(service.port);
  try {
    const start = performance.now();
    const session = await openSession(service, { filename: 'big.bin', size: bytes, mode: 'PROXY' });
    const content = streamedFile(`${session.path}/content`, service.token, CHUNK, bytes);
    requireStatus(await connection.stream(content), 200, content.head);
    await completeSession(service, session);
    return { value: rateSince(start, bytes), operations: 1 };
  } finally {
    connection.close();
  }
}

async function sendToBare(port: number, bytes: number) {
  const connection = await HttpConnection.open(port);
  try {
    const start = performance.now();
    const upload = streamedUpload({ directory: '/', filename: 'big.bin' }, CHUNK, bytes);
    requireStatus(await connection.stream(upload), 200, upload.head);
    return { value: rateSince(start, bytes), operations: 1 };
  } finally {
    connection.close();
  }
}

function rateSince(start: number, bytes: number): number {
  return bytes / MEGABYTE / ((performance.now() - start) / 1_000);
}
