import { type CORSRule, GetBucketCorsCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3';
import type { S3Bucket } from '../bucket.ts';
import { storeCodeOf } from '../failures.ts';
import { addMd5 } from '../headers.ts';

/** Which pages may speak with a bucket. */
export interface CorsRule {
  /** Undefined for a rule that nobody gave a name. */
  readonly id: string | undefined;
  readonly origins: readonly string[];
  readonly methods: readonly string[];
}

/** The rule that is ours to change; all others belong to somebody else. */
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
 * Lets pages of these origins, and of no others that we have let in before, put and get by signed addresses. The rules
 * of others stay. Two who do this at once may undo each other's work: a store takes all rules or none.
 */
export async function allowOrigins(bucket: S3Bucket, origins: readonly string[]): Promise<void> {
  const others = (await readRules(bucket)).filter(({ ID }) => ID !== OWN_ID);
  const own: CORSRule = {
    ID: OWN_ID,
    AllowedOrigins: [...origins],
    AllowedMethods: ['PUT', 'GET', 'HEAD'],
    AllowedHeaders: ['*'],
    // The tag of a part has to be recorded; the others are what players and download pages look at.
    ExposeHeaders: ['ETag', 'Content-Length', 'Content-Range', 'Accept-Ranges', 'Content-Disposition'],
    MaxAgeSeconds: MAX_AGE_SECONDS,
  };
  // The first rule that fits an origin is the one that counts.
  const rules = { CORSRules: [own, ...others] };
  const request = new PutBucketCorsCommand({ Bucket: bucket.name, CORSConfiguration: rules });
  addMd5(request);
  await orSayUnknown(bucket.call((client) => client.send(request)));
}

async function readRules(bucket: S3Bucket): Promise<readonly CORSRule[]> {
  try {
    const request = new GetBucketCorsCommand({ Bucket: bucket.name });
    const answer = await orSayUnknown(bucket.call((client) => client.send(request)));
    return answer.CORSRules ?? [];
  } catch (error) {
    if (storeCodeOf(error) === 'NoSuchCORSConfiguration') return [];
    throw error;
  }
}

async function orSayUnknown<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (storeCodeOf(error) !== 'NotImplemented') throw error;
    throw new Error('This object store has no CORS rules of buckets: they are among its own settings.', {
      cause: error,
    });
  }
}
