import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { checkObjectPrefix } from '../../object-key.ts';
import type { StoredObject } from '../../object-store.ts';
import type { S3Bucket } from '../bucket.ts';
import { findS3Object, toModificationTime } from './reading.ts';

export async function* listS3Objects(bucket: S3Bucket, prefix: string): AsyncGenerator<StoredObject> {
  checkObjectPrefix(prefix);
  if (prefix !== '') {
    const exact = await findS3Object(bucket, prefix);
    if (exact !== undefined) {
      const { writeId: _writeId, ...object } = exact;
      yield object;
    }
  }
  for await (const { path, ...found } of listPaths(bucket, bucket.root + (prefix && `${prefix}/`))) {
    const key = bucket.toKey(path);
    if (key !== undefined) yield { key, ...found };
  }
}

/**
 * All objects whose path starts with `start`, including other programs' objects. Keeps one page in memory.
 */
export async function* listPaths(
  bucket: S3Bucket,
  start: string,
): AsyncGenerator<Omit<StoredObject, 'key'> & { readonly path: string }> {
  let token: string | undefined;
  do {
    const request = new ListObjectsV2Command({
      Bucket: bucket.name,
      Prefix: start,
      ContinuationToken: token,
      // Objects of other programs may have names that XML cannot represent.
      EncodingType: 'url',
    });
    const page = await bucket.call((client) => client.send(request));
    const decode = page.EncodingType === 'url' ? decodeURIComponent : (path: string) => path;
    for (const object of page.Contents ?? []) {
      yield {
        path: decode(object.Key ?? ''),
        size: object.Size ?? 0,
        ...toModificationTime(object),
      };
    }
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}
