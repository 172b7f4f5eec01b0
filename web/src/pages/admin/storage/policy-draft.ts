import type { AdminPolicy } from '../../../../../client/src/client.ts';

type PolicyType = AdminPolicy['type'];
type Ability = Exclude<keyof AdminPolicy['capabilities'], 'maxObjectSize'>;
/** The content of the form. */
export type PolicyDraft = Omit<AdminPolicy, 'id' | 'defaultPolicy' | 'createdAt' | 'updatedAt'>;

const TIB = 1_024 ** 4;

/**
 * The capabilities and the maximum object size of each kind of store. The service rejects anything beyond.
 */
export const STORES: Readonly<Record<PolicyType, { abilities: readonly Ability[]; largest: number }>> = {
  LOCAL: { abilities: ['serverProxyDownload', 'signedDownloadUrl'], largest: 16 * TIB },
  S3_COMPATIBLE: {
    abilities: [
      'serverProxyDownload',
      'signedDownloadUrl',
      'directUpload',
      'multipartUpload',
      'requiresCors',
    ],
    largest: 5 * TIB,
  },
};

/** A new policy with every capability of its store. */
export function newDraft(type: PolicyType, name = ''): PolicyDraft {
  const { abilities, largest } = STORES[type];
  const can = (ability: Ability) => abilities.includes(ability);
  return {
    name,
    type,
    bucketName: null,
    endpoint: null,
    region: null,
    prefix: null,
    credentialMode: type === 'LOCAL' ? 'NONE' : 'STATIC',
    maxSizeBytes: largest,
    capabilities: {
      directUpload: can('directUpload'),
      multipartUpload: can('multipartUpload'),
      signedDownloadUrl: can('signedDownloadUrl'),
      serverProxyDownload: can('serverProxyDownload'),
      requiresCors: can('requiresCors'),
      maxObjectSize: largest,
    },
    enabled: true,
  };
}

export function toDraft(policy: AdminPolicy): PolicyDraft {
  const { id: _id, defaultPolicy: _default, createdAt: _created, updatedAt: _updated, ...draft } = policy;
  return draft;
}

/** Whether the form can be sent. */
export function isComplete({ name, type, bucketName }: PolicyDraft): boolean {
  return name.trim() !== '' && (type === 'LOCAL' || (bucketName ?? '').trim() !== '');
}

/** Whether a capability can be removed. At least one way to download must remain. */
export function mayTake({ capabilities }: PolicyDraft, ability: Ability): boolean {
  const { signedDownloadUrl, serverProxyDownload } = capabilities;
  if (ability === 'signedDownloadUrl') return serverProxyDownload;
  return ability !== 'serverProxyDownload' || signedDownloadUrl;
}
