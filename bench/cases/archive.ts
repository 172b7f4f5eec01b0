import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpConnection } from '../load/http-connection.ts';
import { requireStatus } from '../load/load.ts';
import { deleteRequest, jsonRequest, streamedUpload } from '../load/requests.ts';
import { writeSmallFiles } from '../local-files.ts';
import { type Case, type Figure, inTurn } from '../report/figure.ts';
import { readNumber, readText, type Service } from '../service.ts';
import type { Stage } from '../stage.ts';
import { smallFiles } from './tree.ts';

const MEGABYTE = 1_000_000;
const CHUNK = randomBytes(1024 * 1024);
const POLL_MS = 2;

/**
 * Archive and extract tasks, from the request to their end, beside `zip` and `unzip` on the same files and
 * the same core.
 */
export const archive: Case = {
  name: 'archive',
  measure: async (stage) => {
    const files = stage.scale.zippedFiles;
    const bytes = stage.scale.bigFileBytes;
    return [
      ...(await measurePacking(stage, {
        name: '1,000 files of 4 KiB',
        unit: 'files/s',
        amount: files,
        fill: (service) => service.callAll(smallFiles(service, '/packed', files)),
        fillDirectory: (directory) => writeSmallFiles(directory, files),
      })),
      ...(await measurePacking(stage, {
        name: '1 GiB',
        unit: 'MB/s',
        amount: bytes / MEGABYTE,
        fill: (service) => uploadBig(service, '/packed', bytes),
        fillDirectory: (directory) =>
          pipeline(Readable.from(repeated(bytes)), createWriteStream(path.join(directory, 'big.bin'))),
      })),
    ];
  },
};

interface Packed {
  readonly name: string;
  readonly unit: string;
  /** In the unit, without the second. */
  readonly amount: number;
  /** Extracts it into `/packed`. */
  readonly fill: (service: Service) => Promise<void>;
  readonly fillDirectory: (directory: string) => Promise<void>;
}

async function measurePacking(
  stage: Stage,
  { name, unit, amount, fill, fillDirectory }: Packed,
): Promise<Figure[]> {
  return await stage.withService(async (service) => {
    return await stage.withDirectory(async (directory) => {
      stage.say(`making ${name} to pack`);
      const id = await service.makeDirectory('/packed');
      await fill(service);
      await mkdir(path.join(directory, 'packed'));
      await fillDirectory(path.join(directory, 'packed'));
      const rateOf = async (act: () => Promise<unknown>) => {
        const start = performance.now();
        await act();
        return amount / ((performance.now() - start) / 1_000);
      };
      let made = 0;
      const packing = await inTurn(
        stage.scale.runs,
        async (run) => {
          if (run > 0) await service.call(deleteRequest(`/api/files/${made}`, service.token));
          const rate = await rateOf(() => runTask(service, 'archive', id, '/packed'));
          made = (await service.findFile('/', 'packed.zip')).id;
          return rate;
        },
        async () => {
          await rm(path.join(directory, 'packed.zip'), { force: true });
          return await rateOf(() => stage.run('zip', ['-q', '-r', 'packed.zip', 'packed'], directory));
        },
      );
      const unpacking = await inTurn(
        stage.scale.runs,
        async (run) => {
          const target = `/unpacked ${run}`;
          await service.makeDirectory(target);
          const move = { path: target };
          await service.call(jsonRequest('PATCH', `/api/files/${made}/move`, move, service.token));
          return await rateOf(() => runTask(service, 'extract', made, `${target}/packed.zip`));
        },
        async () => {
          await rm(path.join(directory, 'unpacked'), { recursive: true, force: true });
          return await rateOf(() => stage.run('unzip', ['-q', 'packed.zip', '-d', 'unpacked'], directory));
        },
      );
      return [
        { name: `archive of ${name}`, unit, ...packing },
        { name: `extract of ${name}`, unit, ...unpacking },
      ];
    });
  });
}

/** Resolves when the task has ended. */
async function runTask(
  service: Service,
  type: 'archive' | 'extract',
  fileId: number,
  filePath: string,
): Promise<void> {
  const body = { fileId, path: filePath };
  let task = await service.call(jsonRequest('POST', `/api/v2/tasks/${type}`, body, service.token));
  const id = readNumber(task, 'id');
  while (['QUEUED', 'RUNNING'].includes(readText(task, 'status'))) {
    await sleep(POLL_MS);
    task = await service.get(`/api/v2/tasks/${id}`);
  }
  if (readText(task, 'status') !== 'COMPLETED') throw new Error(`the task ended so: ${JSON.stringify(task)}`);
}

/** Uploads `big.bin` of as many bytes. */
export async function uploadBig(service: Service, directory: string, bytes: number): Promise<void> {
  const connection = await HttpConnection.open(service.port);
  try {
    const target = { directory, filename: 'big.bin', token: service.token };
    const upload = streamedUpload(target, CHUNK, bytes);
    requireStatus(await connection.stream(upload), 200, upload.head);
  } finally {
    connection.close();
  }
}

function* repeated(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= CHUNK.byteLength)
    yield CHUNK.subarray(0, Math.min(left, CHUNK.byteLength));
}
