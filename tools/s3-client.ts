import { S3Client } from '@aws-sdk/client-s3';

/** How to reach it, under the names that the SDK gives them. The bucket is there and empty. */
export interface S3Settings {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: true;
}

/** A client of the SDK itself, so that what tests expect of the store does not come from our own code. */
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
