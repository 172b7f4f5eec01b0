import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { type S3Settings, toClient } from '../../tools/engines/s3/s3-client.ts';
import { HttpConnection } from '../load/http-connection.ts';
import { requireStatus } from '../load/load.ts';
import { getRequest, streamedUpload } from '../load/requests.ts';
import { uploadBySdk } from '../peers/sdk-upload.ts';
import type { Case } from '../report/figure.ts';
import { readMemoryBytes } from '../report/memory.ts';
import type { Stage } from '../stage.ts';
import { completeSession, openSession, sendParts, waitForChecksums } from '../upload-sessions.ts';

const MEGABYTE = 1_000_000;
const MIB = 1024 * 1024;
const CHUNK = randomBytes(8 * MIB);
const IN_FLIGHT = 4;

interface Through {
  readonly rate: number;
  /** The peak memory of the service since its start, in MB. */
  readonly memory: number;
}

/**
 * Downloads a file from an S3 store through the service, beside the SDK's own download. The file was uploaded
 * directly to the store, so the memory is that of the download, and of the earlier pass over its bytes for
 * the checksums.
 */
export const s3Download: Case = {
  name: 's3-download',
  measure: async (stage) => {
    const service: Through[] = [];
    const bareRuns: number[] = [];
    for (let run = 0; run < stage.scale.runs; run += 1) {
      await stage.withS3(async (s3) => {
        service.push(await downloadThrough(stage, s3));
        bareRuns.push(await withSdk(stage, s3, 'download'));
      });
    }
    return toFigures('download of 1 GiB from S3', service, bareRuns);
  },
};

/** Uploads a file through the service to an S3 store, beside the SDK's own upload in parts. */
export const s3Upload: Case = {
  name: 's3-upload',
  measure: async (stage) => {
    const service: Through[] = [];
    const bareRuns: number[] = [];
    for (let run = 0; run < stage.scale.runs; run += 1) {
      await stage.withS3(async (s3) => {
        service.push(await uploadThrough(stage, s3));
        bareRuns.push(await withSdk(stage, s3, 'upload'));
      });
    }
    return toFigures('upload of 1 GiB to S3', service, bareRuns);
  },
};

function toFigures(name: string, service: readonly Through[], bareRuns: readonly number[]) {
  // The maximum of all runs, as with the local disk.
  const memory = Math.max(...service.map((run) => run.memory));
  return [
    { name, unit: 'MB/s', runs: service.map(({ rate }) => rate), bareRuns },
    { name: `peak memory, ${name}`, unit: 'MB', runs: [memory] },
  ];
}

function downloadThrough(stage: Stage, s3: S3Settings): Promise<Through> {
  return stage.withService(
    async (service) => {
      const size = stage.scale.bigFileBytes;
      const session = await openSession(service, { filename: 'big.bin', size, mode: 'DIRECT_MULTIPART' });
      await sendParts(service, session, { chunk: CHUNK, inFlight: IN_FLIGHT });
      const id = await completeSession(service, session);
      await waitForChecksums(service, id);
      const connection = await HttpConnection.open(service.port);
      try {
        const request = getRequest(`/api/files/download/${id}`, service.token);
        const start = performance.now();
        const received = await connection.exchange(request);
        const rate = rateSince(start, size);
        requireStatus(received, 200, request);
        if (received.bodyBytes !== size) throw new Error(`${received.bodyBytes} bytes came`);
        return { rate, memory: readMemoryBytes(service.pid, 'VmHWM') / MEGABYTE };
      } finally {
        connection.close();
      }
    },
    { s3 },
  );
}

function uploadThrough(stage: Stage, s3: S3Settings): Promise<Through> {
  return stage.withService(
    async (service) => {
      const size = stage.scale.bigFileBytes;
      const connection = await HttpConnection.open(service.port);
      try {
        const target = { directory: '/', filename: 'big.bin', token: service.token };
        const request = streamedUpload(target, CHUNK.subarray(0, MIB), size);
        const start = performance.now();
        requireStatus(await connection.stream(request), 200, request.head);
        return { rate: rateSince(start, size), memory: readMemoryBytes(service.pid, 'VmHWM') / MEGABYTE };
      } finally {
        connection.close();
      }
    },
    { s3 },
  );
}

async function withSdk(stage: Stage, s3: S3Settings, direction: 'upload' | 'download'): Promise<number> {
  const client = toClient(s3);
  const { bucket } = s3;
  const size = stage.scale.bigFileBytes;
  try {
    const uploadStart = performance.now();
    await uploadBySdk(client, { bucket, key: 'sdk' }, { chunk: CHUNK, size, inFlight: IN_FLIGHT });
    if (direction === 'upload') return rateSince(uploadStart, size);
    const start = performance.now();
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: 'sdk' }));
    if (Body === undefined) throw new Error('the store gave nothing');
    let bytes = 0;
    const counting = new Writable({
      write(chunk: Uint8Array, _encoding, done) {
        bytes += chunk.length;
        done();
      },
    });
    // On Node it is a Node stream.
    await pipeline(Body as NodeJS.ReadableStream, counting);
    if (bytes !== size) throw new Error(`${bytes} bytes came`);
    return rateSince(start, size);
  } finally {
    client.destroy();
  }
}

function rateSince(start: number, bytes: number): number {
  return bytes / MEGABYTE / ((performance.now() - start) / 1_000);
}
