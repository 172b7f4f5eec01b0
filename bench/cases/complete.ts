import { type S3Settings, toClient } from '../../tools/engines/s3/s3-client.ts';
import { beginSdkUpload, completeSdkUpload, sendSdkParts } from '../peers/sdk-upload.ts';
import type { Case } from '../report/figure.ts';
import type { Stage } from '../stage.ts';
import { completeSession, openSession, sendParts } from '../upload-sessions.ts';

const MIB = 1024 * 1024;
/** Zeros, which the store compresses: a session of 1,000 parts has at least 8 GB. */
const CHUNK = Buffer.alloc(8 * MIB);
const SMALL_CHUNK_BYTES = 4_096;
const IN_FLIGHT = 4;

/**
 * How long `complete` takes for a session of 1,000 parts, beside the SDK's own completion of an upload with
 * as many parts to the same store. Completion does not touch the bytes of the parts. The SDK's parts are
 * small, which can only be an advantage for the SDK.
 */
export const complete: Case = {
  name: 'complete-1000',
  measure: (stage) =>
    stage.withS3(
      async (s3) => {
        const runs: number[] = [];
        const bareRuns: number[] = [];
        for (let run = 0; run < stage.scale.runs; run += 1) {
          runs.push(await measureSession(stage, s3));
          bareRuns.push(await measureSdk(stage, s3, `sdk-${run}`));
        }
        const own = runs.map((ms, run) => ms - (bareRuns[run] ?? 0));
        return [
          { name: 'complete of 1,000 parts', unit: 'ms', runs, bareRuns },
          { name: "complete of 1,000 parts, less the store's own", unit: 'ms', runs: own },
        ];
      },
      { isCompressed: true, minPartBytes: SMALL_CHUNK_BYTES },
    ),
};

function measureSession(stage: Stage, s3: S3Settings): Promise<number> {
  return stage.withService(
    async (service) => {
      const size = stage.scale.recordedParts * CHUNK.length;
      stage.say(`sending ${stage.scale.recordedParts} parts`);
      const session = await openSession(service, { filename: 'big.bin', size, mode: 'DIRECT_MULTIPART' });
      if (session.chunkCount !== stage.scale.recordedParts) throw new Error(`${session.chunkCount} chunks`);
      await sendParts(service, session, { chunk: CHUNK, inFlight: IN_FLIGHT });
      return await timeOf(() => completeSession(service, session));
    },
    { s3 },
  );
}

async function measureSdk(stage: Stage, s3: S3Settings, key: string): Promise<number> {
  const client = toClient(s3);
  try {
    const upload = await beginSdkUpload(client, s3.bucket, key);
    const parts = await sendSdkParts(client, upload, {
      chunk: CHUNK.subarray(0, SMALL_CHUNK_BYTES),
      size: stage.scale.recordedParts * SMALL_CHUNK_BYTES,
      inFlight: IN_FLIGHT,
    });
    return await timeOf(() => completeSdkUpload(client, upload, parts));
  } finally {
    client.destroy();
  }
}

/** In milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
