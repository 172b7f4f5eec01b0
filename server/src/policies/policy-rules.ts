import type { CredentialMode, PolicyType } from '../base/domain/storage.ts';
import { Failure } from '../base/failure.ts';
import { MAX_UNITS_PER_CHARACTER, toNormalForm } from '../base/text/names/normal-form.ts';
import { trimSlashes } from '../base/text/trim-slashes.ts';
import { toEndpoint } from '../storage/endpoint.ts';
import { isObjectKey } from '../storage/object-key.ts';
import { DRIVER_CAPABILITIES, type PolicyCapabilities, type StoreLocation } from './policy.ts';

/** A policy as an admin describes it. Absent capabilities default to the driver's. */
export interface PolicyDraft {
  readonly name: string;
  readonly type: PolicyType;
  readonly bucketName?: string | null | undefined;
  readonly endpoint?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly prefix?: string | null | undefined;
  readonly credentialMode: CredentialMode;
  readonly maxSizeBytes: number;
  readonly capabilities: Partial<PolicyCapabilities>;
  readonly enabled: boolean;
}

/** A checked draft. */
export interface PolicyAttributes extends StoreLocation {
  readonly name: string;
  readonly credentialMode: CredentialMode;
  readonly maxSizeBytes: number;
  readonly capabilities: PolicyCapabilities;
  readonly isEnabled: boolean;
}

const MAX_NAME = 64;
const BUCKET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;
const REGION = /^[\w-]{1,64}$/;

/** How each driver authenticates. Only the environment has the credentials themselves. */
const CREDENTIAL_MODES: Readonly<Record<PolicyType, CredentialMode>> = {
  LOCAL: 'NONE',
  S3_COMPATIBLE: 'STATIC',
};

const BOOLEAN_CAPABILITIES = [
  'directUpload',
  'multipartUpload',
  'signedDownloadUrl',
  'serverProxyDownload',
  'requiresCors',
] as const;

/**
 * Checks a draft against the capabilities of its type's driver.
 * @throws Failure `invalid`
 */
export function toAttributes(draft: PolicyDraft): PolicyAttributes {
  const { type, credentialMode, maxSizeBytes } = draft;
  if (credentialMode !== CREDENTIAL_MODES[type]) {
    throw new Failure('invalid', `A policy of type ${type} has credentialMode ${CREDENTIAL_MODES[type]}.`);
  }
  const capabilities = toCapabilities(type, draft.capabilities);
  checkSize('maxSizeBytes', maxSizeBytes, DRIVER_CAPABILITIES[type].maxObjectSize);
  return {
    name: toName(draft.name),
    ...toLocation(draft),
    credentialMode,
    maxSizeBytes,
    capabilities,
    isEnabled: draft.enabled,
  };
}

function toName(text: string): string {
  const name = toNormalForm(text.trim(), MAX_NAME * MAX_UNITS_PER_CHARACTER);
  if (!name || name.length > MAX_NAME || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw new Failure('invalid', `The name must be 1 to ${MAX_NAME} characters.`);
  }
  return name;
}

/** @throws Failure `invalid` */
export function toLocation(draft: PolicyDraft): StoreLocation {
  const { type } = draft;
  const [bucketName, endpoint, region] = [draft.bucketName, draft.endpoint, draft.region].map(orNull);
  const prefix = trimSlashes((draft.prefix ?? '').trim());
  if (prefix !== '' && !isObjectKey(prefix)) {
    throw new Failure(
      'invalid',
      'The prefix must be letters, digits and . _ -, in segments with / between them.',
    );
  }
  if (type === 'LOCAL') {
    if (bucketName || endpoint || region) {
      throw new Failure('invalid', 'The local disk has neither bucket nor endpoint nor region.');
    }
    return { type, bucketName: null, endpoint: null, region: null, prefix };
  }
  if (!bucketName || !BUCKET_NAME.test(bucketName)) {
    throw new Failure('invalid', 'bucketName must be the name of a bucket.');
  }
  if (region && !REGION.test(region)) throw new Failure('invalid', 'The region is not valid.');
  return {
    type,
    bucketName,
    endpoint: endpoint ? toEndpoint(endpoint) : null,
    region: region ?? null,
    prefix,
  };
}

function toCapabilities(type: PolicyType, wanted: Partial<PolicyCapabilities>): PolicyCapabilities {
  const supported = DRIVER_CAPABILITIES[type];
  for (const name of BOOLEAN_CAPABILITIES) {
    if (wanted[name] === true && !supported[name]) {
      throw new Failure('invalid', `A store of type ${type} does not support ${name}.`);
    }
  }
  const capabilities = { ...supported, ...wanted };
  checkSize('maxObjectSize', capabilities.maxObjectSize, supported.maxObjectSize);
  if (!capabilities.serverProxyDownload && !capabilities.signedDownloadUrl) {
    throw new Failure('invalid', 'Downloads need serverProxyDownload or signedDownloadUrl.');
  }
  return capabilities;
}

function checkSize(name: string, bytes: number, maxBytes: number): void {
  if (Number.isSafeInteger(bytes) && 1 <= bytes && bytes <= maxBytes) return;
  throw new Failure('invalid', `${name} must be 1 to ${maxBytes} bytes.`);
}

function orNull(text: string | null | undefined): string | null {
  return text?.trim() || null;
}
