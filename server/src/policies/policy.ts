import type { Instant } from '../base/clock.ts';
import type { CredentialMode, PolicyType } from '../base/domain/storage.ts';
import { Failure } from '../base/failure.ts';

/** Where new objects are stored, and what clients may do with them there. */
export interface StoragePolicy extends StoreLocation {
  readonly id: number;
  readonly name: string;
  readonly credentialMode: CredentialMode;
  /** The maximum size of new objects in bytes. */
  readonly maxSizeBytes: number;
  readonly capabilities: PolicyCapabilities;
  readonly isEnabled: boolean;
  readonly isDefault: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Identifies the store of a policy. Two locations with equal members are the same store. */
export interface StoreLocation {
  readonly type: PolicyType;
  readonly bucketName: string | null;
  readonly endpoint: string | null;
  readonly region: string | null;
  /** The prefix of all object keys, without `/` at either end; empty for none. */
  readonly prefix: string;
}

const LOCATION_MEMBERS = ['type', 'bucketName', 'endpoint', 'region', 'prefix'] as const;

export function isSameLocation(one: StoreLocation, other: StoreLocation): boolean {
  return LOCATION_MEMBERS.every((member) => one[member] === other[member]);
}

export interface PolicyCapabilities {
  /** Whether clients send bytes directly to the store. */
  readonly directUpload: boolean;
  readonly multipartUpload: boolean;
  /** Whether downloads may be redirected to a signed URL of the store. */
  readonly signedDownloadUrl: boolean;
  readonly serverProxyDownload: boolean;
  /** Whether the store needs a CORS rule for the origin of this service, so that browsers may use it. */
  readonly requiresCors: boolean;
  /** The maximum size of objects that the store accepts, in bytes. */
  readonly maxObjectSize: number;
}

const TIB = 1024 ** 4;

/**
 * The capabilities of each type's driver. They are the defaults of a policy, and its upper bounds.
 */
export const DRIVER_CAPABILITIES: Readonly<Record<PolicyType, PolicyCapabilities>> = {
  LOCAL: {
    directUpload: false,
    multipartUpload: false,
    signedDownloadUrl: true,
    serverProxyDownload: true,
    requiresCors: false,
    // The limit of ext4; other file systems accept more.
    maxObjectSize: 16 * TIB,
  },
  S3_COMPATIBLE: {
    directUpload: true,
    multipartUpload: true,
    signedDownloadUrl: true,
    serverProxyDownload: true,
    requiresCors: true,
    maxObjectSize: 5 * TIB,
  },
};

/** The maximum size of objects that the policy accepts, in bytes. */
export function maxObjectBytesOf(policy: StoragePolicy): number {
  return Math.min(policy.maxSizeBytes, policy.capabilities.maxObjectSize);
}

/** Where an object is stored. */
export interface ObjectLocation {
  readonly policyId: number;
  readonly objectKey: string;
}

/**
 * A stored object. If its bytes did not pass through this service, the digests are null until they are
 * computed.
 */
export interface StoredBytes extends ObjectLocation {
  /** Bytes. */
  readonly size: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string | null;
  readonly crc32: number | null;
}

export function noSuchPolicy(): Failure {
  return new Failure('not-found', 'There is no such storage policy.');
}
