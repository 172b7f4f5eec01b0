import type { Generated } from 'kysely';
import type { Instant } from '../../../base/clock.ts';
import type { CredentialMode, PolicyType } from '../../../base/domain/policies.ts';
import type { Flag } from '../../flag.ts';

/** Where objects are stored, and what clients may do with them there. */
export interface StoragePolicyTable {
  id: Generated<number>;
  name: string;
  type: PolicyType;
  bucket_name: string | null;
  endpoint: string | null;
  region: string | null;
  /** Without `/` at either end; empty for none. */
  prefix: string;
  /** The credentials themselves are only in the environment. */
  credential_mode: CredentialMode;
  max_size_bytes: number;
  direct_upload: Flag;
  multipart_upload: Flag;
  signed_download_url: Flag;
  server_proxy_download: Flag;
  requires_cors: Flag;
  max_object_size: number;
  enabled: Flag;
  /** 1 on exactly one row: new objects go there. */
  is_default: Flag;
  created_at: Instant;
  updated_at: Instant;
}
