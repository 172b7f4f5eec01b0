import path from 'node:path';
import type { Ids } from '../base/ids.ts';
import type { S3Settings } from '../config/config.ts';
import type { FreeSpace } from '../storage/disk/file-system/free-space.ts';
import { LocalDiskStore } from '../storage/disk/local-disk.ts';
import { guardedLookup } from '../storage/endpoint.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { OnS3Call } from '../storage/s3/clients.ts';
import { type BucketLocation, originOfBucket } from '../storage/s3/direct/origin.ts';
import type { StoreLocation } from './policy.ts';

export interface StoreSettings {
  /** An absolute path. */
  readonly objectsDir: string;
  /** Undefined when objects are stored on the local disk. */
  readonly s3: S3Settings | undefined;
  /** Watches the disk of `objectsDir`, if part of it must stay free. */
  readonly freeSpace?: FreeSpace | undefined;
  readonly onS3Call?: OnS3Call | undefined;
}

/** The location for new objects, as configured in the environment. */
export function configuredLocation({ s3 }: StoreSettings): StoreLocation {
  if (s3 === undefined) return { type: 'LOCAL', bucketName: null, endpoint: null, region: null, prefix: '' };
  const { endpoint = null, region, bucket, prefix } = s3;
  return { type: 'S3_COMPATIBLE', bucketName: bucket, endpoint, region, prefix };
}

/**
 * Opens the store at a location, with the credentials of the environment.
 * @throws Error if the location does not have the configured type
 */
export async function openStore(
  location: StoreLocation,
  { objectsDir, s3, freeSpace, onS3Call }: StoreSettings,
  ids: Ids,
): Promise<ObjectStore> {
  if (location.type === 'LOCAL') {
    return new LocalDiskStore(path.join(objectsDir, location.prefix), ids, freeSpace);
  }
  if (s3 === undefined || location.bucketName === null) {
    throw new Error('This service is not configured for S3, or the policy names no bucket.');
  }
  // Loaded only if it is used, to save memory.
  const { S3Store } = await import('../storage/s3/s3.ts');
  return new S3Store({
    ...toPlace(location, location.bucketName, s3),
    // The operator vouches for the endpoint in the environment. Any other endpoint was entered by an admin,
    // and its host name may resolve to a machine in the internal network.
    ...(isConfiguredEndpoint(location, s3) ? {} : { lookup: guardedLookup }),
    prefix: location.prefix,
    checksums: s3.checksums,
    credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
    ids,
    onCall: onS3Call,
  });
}

/** The origin at which browsers reach the objects directly; undefined if the service sends them. */
export function originOf(location: StoreLocation, { s3 }: StoreSettings): string | undefined {
  const { bucketName } = location;
  if (s3 === undefined || bucketName === null) return undefined;
  return originOfBucket(toPlace(location, bucketName, s3));
}

function toPlace({ endpoint, region }: StoreLocation, bucket: string, s3: S3Settings): BucketLocation {
  const publicEndpoint = isConfiguredEndpoint({ endpoint }, s3) ? s3.publicEndpoint : undefined;
  return {
    ...(endpoint === null ? {} : { endpoint }),
    ...(publicEndpoint === undefined ? {} : { publicEndpoint }),
    region: region ?? s3.region,
    bucket,
    forcePathStyle: s3.forcePathStyle,
  };
}

function isConfiguredEndpoint({ endpoint }: Pick<StoreLocation, 'endpoint'>, s3: S3Settings): boolean {
  return endpoint === (s3.endpoint ?? null);
}
