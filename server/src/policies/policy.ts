import type { Instant } from '../base/clock.ts';
import type { CredentialMode, PolicyType } from '../base/domain/policies.ts';

/** Where objects go, and what may be done with them there (specification, "Storage policy"). */
export interface StoragePolicy extends StoreLocation {
  readonly id: number;
  readonly name: string;
  readonly credentialMode: CredentialMode;
  /** Bytes of the largest object that may be stored anew. */
  readonly maxSizeBytes: number;
  readonly capabilities: PolicyCapabilities;
  readonly isEnabled: boolean;
  readonly isDefault: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** What decides which store a policy means. */
export interface StoreLocation {
  readonly type: PolicyType;
  readonly bucketName: string | null;
  readonly endpoint: string | null;
  readonly region: string | null;
  /** Without `/` at either end; empty for none. */
  readonly prefix: string;
}

const PLACE = ['type', 'bucketName', 'endpoint', 'region', 'prefix'] as const;

export function isSameLocation(one: StoreLocation, other: StoreLocation): boolean {
  return PLACE.every((part) => one[part] === other[part]);
}

export interface PolicyCapabilities {
  /** Clients send bytes to the store themselves. */
  readonly directUpload: boolean;
  readonly multipartUpload: boolean;
  /** Downloads may be handed to an address that the store serves by itself. */
  readonly signedDownloadUrl: boolean;
  readonly serverProxyDownload: boolean;
  /** Browsers need the store's permission for our origin. */
  readonly requiresCors: boolean;
  /** Bytes of the largest object that the store takes. */
  readonly maxObjectSize: number;
}

const TIB = 1024 ** 4;

/** What the driver of each type can do: what a policy begins with, and the most that it may have. */
export const DRIVER_CAPABILITIES: Readonly<Record<PolicyType, PolicyCapabilities>> = {
  LOCAL: {
    directUpload: false,
    multipartUpload: false,
    signedDownloadUrl: true,
    serverProxyDownload: true,
    requiresCors: false,
    // What ext4 takes; others take more.
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

/** Bytes of the largest object that the policy takes. */
export function maxObjectBytesOf(policy: StoragePolicy): number {
  return Math.min(policy.maxSizeBytes, policy.capabilities.maxObjectSize);
}

/** Where an object is stored. */
export interface ObjectLocation {
  readonly policyId: number;
  readonly objectKey: string;
}

/** A stored object. The digests are null until they are computed, if the bytes did not pass through this service. */
export interface StoredBytes extends ObjectLocation {
  /** Bytes. */
  readonly size: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string | null;
  readonly crc32: number | null;
}
