import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import type { Instant } from '../../../base/clock.ts';
import type { MultipartUpload } from '../../direct-transfers.ts';
import type { S3Bucket } from '../bucket.ts';
import { listPaths } from '../objects/listing.ts';
import { removePaths } from '../objects/removal.ts';
import { abortUpload, isMissingUpload, listParts } from './multipart-requests.ts';

/** See `ObjectStore.removeAbandonedWrites`. */
export async function removeAbandonedS3Writes(
  bucket: S3Bucket,
  before: Instant,
  findClaimed: (keys: readonly string[]) => Promise<readonly string[]>,
): Promise<number> {
  let removed = await removeOldProbes(bucket, before);
  let fault: { readonly error: unknown } | undefined;
  for await (const uploads of listOldUploads(bucket, before)) {
    if (uploads.length === 0) continue;
    const claimed = new Set(await findClaimed([...new Set(uploads.map(({ key }) => key))]));
    for (const upload of uploads.filter(({ key }) => !claimed.has(key))) {
      try {
        if (await hasPartSince(bucket, upload, before)) continue;
        await abortUpload(bucket, upload);
        removed += 1;
      } catch (error) {
        // A failed abort must not prevent the others.
        fault ??= { error };
      }
    }
  }
  if (fault !== undefined) throw fault.error;
  return removed;
}

/** Removes probes left behind by a check that crashed. */
async function removeOldProbes(bucket: S3Bucket, before: Instant): Promise<number> {
  let removed = 0;
  for await (const { path, modifiedAt } of listPaths(bucket, bucket.probeRoot)) {
    if (modifiedAt >= before) continue;
    await removePaths(bucket, [path]);
    removed += 1;
  }
  return removed;
}

/** This store's uploads that began before `before`, page by page. */
async function* listOldUploads(
  bucket: S3Bucket,
  before: Instant,
): AsyncGenerator<readonly MultipartUpload[]> {
  let markers: { KeyMarker: string | undefined; UploadIdMarker: string | undefined } | undefined;
  do {
    const request = new ListMultipartUploadsCommand({ Bucket: bucket.name, Prefix: bucket.root, ...markers });
    const page = await bucket.call((client) => client.send(request));
    yield (page.Uploads ?? []).flatMap(({ Key, UploadId: id, Initiated }) => {
      const key = bucket.toKey(Key);
      const isOld = Initiated !== undefined && Initiated.getTime() < before;
      return key !== undefined && id !== undefined && isOld ? [{ key, id }] : [];
    });
    markers =
      page.IsTruncated === true
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
  } while (markers !== undefined);
}

async function hasPartSince(bucket: S3Bucket, upload: MultipartUpload, before: Instant): Promise<boolean> {
  try {
    for await (const part of listParts(bucket, upload)) if (part.modifiedAt >= before) return true;
    return false;
  } catch (error) {
    // The upload was completed or aborted meanwhile: leave it alone.
    if (isMissingUpload(error)) return true;
    throw error;
  }
}
