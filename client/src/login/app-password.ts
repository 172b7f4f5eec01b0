import type { Credentials } from '../requests/credentials.ts';

/**
 * An app password (`hda_…`), which its owner creates for one program and can revoke. It cannot change the
 * account or administer the service.
 */
export function appPassword(password: string): Credentials {
  return { authorize: async () => `Bearer ${password}`, renew: async () => false };
}
