import { randomBytes } from 'node:crypto';
import { type Case, inTurn } from '../figure.ts';
import { HttpConnection } from '../http-connection.ts';
import { requireStatus } from '../load.ts';
import { streamedFile, streamedUpload } from '../requests.ts';
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
    const rates = await inTurn(
      stage.scale.runs,
      () =>
        stage.withService(async (service) => {
          const connection = await HttpConnection.open(service.port);
          try {
            const start = performance.now();
            const session = await openSession(service, { filename: 'big.bin', size: bytes, mode: 'PROXY' });
            const content = streamedFile(`${session.path}/content`, service.token, CHUNK, bytes);
            requireStatus(await connection.stream(content), 200, content.head);
            await completeSession(service, session);
            return rateSince(start, bytes);
          } finally {
            connection.close();
          }
        }),
      () =>
        stage.withBare(async ({ port }) => {
          const connection = await HttpConnection.open(port);
          try {
            const start = performance.now();
            const upload = streamedUpload({ directory: '/', filename: 'big.bin' }, CHUNK, bytes);
            requireStatus(await connection.stream(upload), 200, upload.head);
            return rateSince(start, bytes);
          } finally {
            connection.close();
          }
        }),
    );
    return [{ name: 'PROXY session of 1 GiB', unit: 'MB/s', ...rates }];
  },
};

function rateSince(start: number, bytes: number): number {
  return bytes / MEGABYTE / ((performance.now() - start) / 1_000);
}
