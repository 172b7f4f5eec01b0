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
      const { writeId: _mark, ...object } = exact;
      yield object;
    }
  }
  for await (const { path, ...found } of listPaths(bucket, bucket.root + (prefix && `${prefix}/`))) {
    const key = bucket.toKey(path);
    if (key !== undefined) yield { key, ...found };
  }
}

interface ListedPath extends Omit<StoredObject, 'key'> {
  readonly path: string;
}

/** Everything whose path begins so, ours or not; one page in memory at a time. */
export async function* listPaths(bucket: S3Bucket, start: string): AsyncGenerator<ListedPath> {
  let token: string | undefined;
  do {
    const request = new ListObjectsV2Command({
      Bucket: bucket.name,
      Prefix: start,
      ContinuationToken: token,
      // What others have in the bucket may have names that XML cannot hold.
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
