// What the store can do by itself: uploads with the unmodified S3 SDK.
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

export interface SdkUpload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
}

/** Every part but the last has the length of the chunk; the last has the beginning of it. */
export interface SdkParts {
  readonly chunk: Buffer;
  readonly size: number;
  readonly inFlight: number;
}

export async function beginSdkUpload(client: S3Client, Bucket: string, Key: string): Promise<SdkUpload> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  return { Bucket, Key, UploadId };
}

export async function sendSdkParts(
  client: S3Client,
  upload: SdkUpload,
  { chunk, size, inFlight }: SdkParts,
): Promise<readonly CompletedPart[]> {
  const count = Math.ceil(size / chunk.length);
  const parts: CompletedPart[] = [];
  let next = 0;
  const sendSome = async () => {
    while (next < count) {
      const index = next++;
      const Body = chunk.subarray(0, Math.min(chunk.length, size - index * chunk.length));
      const part = { PartNumber: index + 1 };
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, ...part, Body }));
      parts[index] = { ...part, ETag };
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sendSome));
  return parts;
}

export async function completeSdkUpload(
  client: S3Client,
  upload: SdkUpload,
  parts: readonly CompletedPart[],
): Promise<void> {
  await client.send(
    new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: [...parts] } }),
  );
}

/** The complete upload. */
export async function uploadBySdk(
  client: S3Client,
  to: { readonly bucket: string; readonly key: string },
  parts: SdkParts,
): Promise<void> {
  const upload = await beginSdkUpload(client, to.bucket, to.key);
  await completeSdkUpload(client, upload, await sendSdkParts(client, upload, parts));
}
