import { type CORSRule, GetBucketCorsCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3';
import type { S3Bucket } from '../bucket.ts';
import { storeCodeOf } from '../failures.ts';
import { addMd5 } from '../headers.ts';

/** A rule that lets pages of some origins send requests to a bucket. */
export interface CorsRule {
  /** Undefined for a rule without a name. */
  readonly id: string | undefined;
  readonly origins: readonly string[];
  readonly methods: readonly string[];
}

/** The name of our rule. All other rules belong to other programs and stay unchanged. */
const OWN_ID = 'holdall';
const MAX_AGE_SECONDS = 3_600;

export async function listCorsRules(bucket: S3Bucket): Promise<readonly CorsRule[]> {
  const rules = await readRules(bucket);
  return rules.map(({ ID: id, AllowedOrigins: origins = [], AllowedMethods: methods = [] }) => ({
    id,
    origins,
    methods,
  }));
}

/**
 * Allows pages of exactly these origins to use signed URLs of the bucket. Replaces the origins allowed
 * before, and keeps the rules of other programs. Concurrent calls may overwrite each other, because S3 always
 * replaces all rules together.
 */
export async function allowOrigins(bucket: S3Bucket, origins: readonly string[]): Promise<void> {
  const others = (await readRules(bucket)).filter(({ ID }) => ID !== OWN_ID);
  const own: CORSRule = {
    ID: OWN_ID,
    AllowedOrigins: [...origins],
    AllowedMethods: ['PUT', 'GET', 'HEAD'],
    AllowedHeaders: ['*'],
    // Uploads record the ETag of each part. Media players and download pages read the other headers.
    ExposeHeaders: ['ETag', 'Content-Length', 'Content-Range', 'Accept-Ranges', 'Content-Disposition'],
    MaxAgeSeconds: MAX_AGE_SECONDS,
  };
  // S3 applies the first rule that matches an origin.
  const rules = { CORSRules: [own, ...others] };
  const request = new PutBucketCorsCommand({ Bucket: bucket.name, CORSConfiguration: rules });
  addMd5(request);
  await explainIfUnsupported(bucket.call((client) => client.send(request)));
}

async function readRules(bucket: S3Bucket): Promise<readonly CORSRule[]> {
  try {
    const request = new GetBucketCorsCommand({ Bucket: bucket.name });
    const response = await explainIfUnsupported(bucket.call((client) => client.send(request)));
    return response.CORSRules ?? [];
  } catch (error) {
    if (storeCodeOf(error) === 'NoSuchCORSConfiguration') return [];
    throw error;
  }
}

async function explainIfUnsupported<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (storeCodeOf(error) !== 'NotImplemented') throw error;
    throw new Error(
      'This object store does not support CORS rules per bucket. Configure them in the store itself.',
      {
        cause: error,
      },
    );
  }
}
