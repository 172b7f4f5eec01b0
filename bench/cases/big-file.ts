import { randomBytes } from 'node:crypto';
import { HttpConnection } from '../load/http-connection.ts';
import { requireStatus } from '../load/load.ts';
import { getRequest, streamedUpload } from '../load/requests.ts';
import type { Case, Figure, Run } from '../report/figure.ts';
import { readMemoryBytes, withCpu } from '../report/memory.ts';
import { readMember, readNumber } from '../service.ts';
import type { Stage } from '../stage.ts';

const MEGABYTE = 1_000_000;
const CHUNK = randomBytes(1024 * 1024);

interface BigFileRun {
  readonly upload: Run;
  readonly download: Run;
}

/**
 * Uploads and downloads one file of 1 GiB, each with a fresh server, and reports the server's peak memory.
 */
export const bigFile: Case = {
  name: 'big-file',
  measure: async (stage) => {
    const service: (BigFileRun & { memory: number })[] = [];
    const bare: BigFileRun[] = [];
    for (let run = 0; run < stage.scale.runs; run += 1) {
      service.push(await measureService(stage));
      bare.push(await stage.withBare((server) => upAndDown(server, stage.scale.bigFileBytes)));
    }
    return [
      toFigure(
        'upload 1 GiB',
        service.map((run) => run.upload),
        bare.map((run) => run.upload),
      ),
      toFigure(
        'download 1 GiB',
        service.map((run) => run.download),
        bare.map((run) => run.download),
      ),
      // The maximum of all runs, not the median: a peak counts even if only one run has it.
      {
        name: 'peak memory, 1 GiB up and down',
        unit: 'MB',
        runs: [Math.max(...service.map((run) => run.memory))],
      },
    ];
  },
};

function toFigure(name: string, service: readonly Run[], bare: readonly Run[]): Figure {
  const values = (runs: readonly Run[]) => runs.map((run) => run.value);
  const cpuMs = (runs: readonly Run[]) => runs.map((run) => run.cpuMs);
  return {
    ...{ name, unit: 'MB/s', runs: values(service), bareRuns: values(bare) },
    ...{ cpuMs: cpuMs(service), bareCpuMs: cpuMs(bare) },
  };
}

function measureService(stage: Stage) {
  return stage.withService(async (service) => {
    const rates = await upAndDown(service, stage.scale.bigFileBytes, service.token);
    return { ...rates, memory: readMemoryBytes(service.pid, 'VmHWM') / MEGABYTE };
  });
}

// The bare server sends the whole request body back, which is longer only by the multipart frame.
async function upAndDown(
  { port, pid }: { readonly port: number; readonly pid: number },
  bytes: number,
  token?: string,
): Promise<BigFileRun> {
  const connection = await HttpConnection.open(port);
  try {
    let name = '';
    const upload = await withCpu(pid, async () => {
      const request = streamedUpload({ directory: '/', filename: 'big.bin', token }, CHUNK, bytes);
      const start = performance.now();
      const stored = await connection.stream(request);
      const value = rateSince(start, bytes);
      requireStatus(stored, 200, request.head);
      const id = readNumber(readMember(JSON.parse(stored.body.toString()), 'data'), 'id');
      name = token === undefined ? `upload-${id}` : `${id}`;
      return { value, operations: 1 };
    });
    const download = await withCpu(pid, async () => {
      const request = getRequest(`/api/files/download/${name}`, token);
      const start = performance.now();
      const received = await connection.exchange(request);
      const value = rateSince(start, received.bodyBytes);
      requireStatus(received, 200, request);
      if (received.bodyBytes < bytes) throw new Error(`only ${received.bodyBytes} bytes came back`);
      return { value, operations: 1 };
    });
    return { upload, download };
  } finally {
    connection.close();
  }
}

function rateSince(start: number, bytes: number): number {
  return bytes / MEGABYTE / ((performance.now() - start) / 1_000);
}
