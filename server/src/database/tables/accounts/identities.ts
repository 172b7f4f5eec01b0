import type { Generated } from 'kysely';
import type { Instant } from '../../../base/clock.ts';

/** Who the owner of an account is at a provider of single sign-on (OpenID Connect). */
export interface IdentityTable {
  id: Generated<number>;
  account_id: number;
  /** The URL that names the provider. */
  issuer: string;
  /** What the provider knows the person by. It never changes, unlike names and e-mail addresses. */
  subject: string;
  created_at: Instant;
}
