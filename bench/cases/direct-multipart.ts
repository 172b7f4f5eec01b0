import { randomBytes } from 'node:crypto';
import { type S3Settings, toClient } from '../../tools/engines/s3/s3-client.ts';
import { uploadBySdk } from '../peers/sdk-upload.ts';
import type { Case } from '../report/figure.ts';
import type { Service } from '../service.ts';
import type { Stage } from '../stage.ts';
import { completeSession, openSession, sendParts, waitForChecksums } from '../upload-sessions.ts';

const MEGABYTE = 1_000_000;
const MIB = 1024 * 1024;
/** The part size that the service uses for a file of this size; the SDK gets the same. */
const CHUNK = randomBytes(8 * MIB);
const IN_FLIGHT = 4;
const WARM_UP_BYTES = 64 * MIB;

/**
 * A file sent directly to an S3 store, part by part as an upload session says, beside the SDK's own upload of
 * the same bytes in parts of the same size. Each time with a fresh store, which holds its objects in memory.
 *
 * Our parts are sent by the client of this benchmark, which costs less than the SDK: over plain HTTP, the SDK
 * also hashes every part for its signature. Presigned URLs do not require that.
 */
export const directMultipart: Case = {
  name: 'direct-multipart',
  measure: async (stage) => {
    const runs: number[] = [];
    const bareRuns: number[] = [];
    for (let run = 0; run < stage.scale.runs; run += 1) {
      await stage.withS3(async (s3) => {
        const ours = async () => runs.push(await measureSession(stage, s3));
        const theirs = async () => bareRuns.push(await measureSdk(stage, s3));
        // The store may be slower for the second gigabyte.
        for (const measure of run % 2 === 0 ? [ours, theirs] : [theirs, ours]) await measure();
      });
    }
    return [{ name: 'DIRECT_MULTIPART session of 1 GiB', unit: 'MB/s', runs, bareRuns }];
  },
};

// The service is stopped before the SDK runs: it would read the object for its checksums.
function measureSession(stage: Stage, s3: S3Settings): Promise<number> {
  return stage.withService(
    async (service) => {
      await waitForChecksums(service, await upload(service, 'warm-up.bin', WARM_UP_BYTES));
      return await rateOf(stage, (bytes) => upload(service, 'big.bin', bytes));
    },
    { s3 },
  );
}

async function measureSdk(stage: Stage, s3: S3Settings): Promise<number> {
  const client = toClient(s3);
  const uploadAs = (key: string, size: number) =>
    uploadBySdk(client, { bucket: s3.bucket, key }, { chunk: CHUNK, size, inFlight: IN_FLIGHT });
  try {
    await uploadAs('sdk-warm-up', WARM_UP_BYTES);
    return await rateOf(stage, (bytes) => uploadAs('sdk', bytes));
  } finally {
    client.destroy();
  }
}

async function upload(service: Service, filename: string, size: number): Promise<number> {
  const session = await openSession(service, { filename, size, mode: 'DIRECT_MULTIPART' });
  if (session.chunkSize !== CHUNK.length) throw new Error(`chunks of ${session.chunkSize} bytes`);
  await sendParts(service, session, { chunk: CHUNK, inFlight: IN_FLIGHT });
  return await completeSession(service, session);
}

async function rateOf(stage: Stage, upload: (bytes: number) => Promise<unknown>): Promise<number> {
  const bytes = stage.scale.bigFileBytes;
  const start = performance.now();
  await upload(bytes);
  return bytes / MEGABYTE / ((performance.now() - start) / 1_000);
}
