import { S3Client } from '@aws-sdk/client-s3';

/** How to reach the store, in the terms of the SDK. The bucket already exists and is empty. */
export interface S3Settings {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: true;
}

/** Settings for a Holdall that stores its bytes there, below the prefix. */
export function toServiceEnvironment(settings: S3Settings, prefix: string): Readonly<Record<string, string>> {
  return {
    HOLDALL_STORAGE: 's3',
    HOLDALL_S3_ENDPOINT: settings.endpoint,
    HOLDALL_S3_REGION: settings.region,
    HOLDALL_S3_BUCKET: settings.bucket,
    HOLDALL_S3_ACCESS_KEY_ID: settings.accessKeyId,
    HOLDALL_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    HOLDALL_S3_FORCE_PATH_STYLE: 'true',
    HOLDALL_S3_PREFIX: prefix,
  };
}

/** A client of the SDK itself, so that the expectations of tests do not depend on our own code. */
export function toClient(settings: S3Settings): S3Client {
  const { endpoint, region, forcePathStyle, accessKeyId, secretAccessKey } = settings;
  return new S3Client({
    endpoint,
    region,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
