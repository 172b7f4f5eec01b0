import { randomBytes } from 'node:crypto';
import type { Case } from '../figure.ts';
import { HttpConnection } from '../http-connection.ts';
import { requireStatus } from '../load.ts';
import { readMemoryBytes } from '../memory.ts';
import { getRequest, streamedUpload } from '../requests.ts';
import { readMember, readNumber } from '../service.ts';
import type { Stage } from '../stage.ts';

const MEGABYTE = 1_000_000;
const CHUNK = randomBytes(1024 * 1024);

interface BigFileRun {
  readonly uploadRate: number;
  readonly downloadRate: number;
}

/**
 * Uploads and downloads one file of 1 GiB, each time with a fresh server, and reports the server's peak
 * memory.
 */
export const bigFile: Case = {
  name: 'big-file',
  measure: async (stage) => {
    const service: (BigFileRun & { memory: number })[] = [];
    const bare: BigFileRun[] = [];
    for (let run = 0; run < stage.scale.runs; run += 1) {
      service.push(await measureService(stage));
      bare.push(await stage.withBare(({ port }) => upAndDown(port, stage.scale.bigFileBytes)));
    }
    return [
      {
        name: 'upload 1 GiB',
        unit: 'MB/s',
        runs: service.map((run) => run.uploadRate),
        bareRuns: bare.map((run) => run.uploadRate),
      },
      {
        name: 'download 1 GiB',
        unit: 'MB/s',
        runs: service.map((run) => run.downloadRate),
        bareRuns: bare.map((run) => run.downloadRate),
      },
      // The maximum of all runs, not the median: a peak that happens once in three runs does happen.
      {
        name: 'peak memory, 1 GiB up and down',
        unit: 'MB',
        runs: [Math.max(...service.map((run) => run.memory))],
      },
    ];
  },
};

function measureService(stage: Stage) {
  return stage.withService(async (service) => {
    const rates = await upAndDown(service.port, stage.scale.bigFileBytes, service.token);
    return { ...rates, memory: readMemoryBytes(service.pid, 'VmHWM') / MEGABYTE };
  });
}

// The bare server sends the whole request body back, which is longer only by the multipart frame.
async function upAndDown(port: number, bytes: number, token?: string): Promise<BigFileRun> {
  const connection = await HttpConnection.open(port);
  try {
    const upload = streamedUpload({ directory: '/', filename: 'big.bin', token }, CHUNK, bytes);
    const uploadStart = performance.now();
    const stored = await connection.stream(upload);
    const uploadSeconds = (performance.now() - uploadStart) / 1_000;
    requireStatus(stored, 200, upload.head);
    const id = readNumber(readMember(JSON.parse(stored.body.toString()), 'data'), 'id');
    const name = token === undefined ? `upload-${id}` : id;
    const download = getRequest(`/api/files/download/${name}`, token);
    const downloadStart = performance.now();
    const received = await connection.exchange(download);
    const downloadSeconds = (performance.now() - downloadStart) / 1_000;
    requireStatus(received, 200, download);
    if (received.bodyBytes < bytes) throw new Error(`only ${received.bodyBytes} bytes came back`);
    return {
      uploadRate: bytes / uploadSeconds / MEGABYTE,
      downloadRate: received.bodyBytes / downloadSeconds / MEGABYTE,
    };
  } finally {
    connection.close();
  }
}
