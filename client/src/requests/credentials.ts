/** Proves to the service who is calling. */
export interface Credentials {
  /**
   * The `Authorization` header for the next request; undefined for anonymous calls. May renew a token that is
   * about to expire.
   * @throws HoldallError
   */
  authorize(signal: AbortSignal | undefined): Promise<string | undefined>;
  /**
   * Called when the service has rejected a request with this header (401).
   * @returns whether to repeat the request, with the header that `authorize` then returns
   * @throws HoldallError
   */
  renew(refused: string, signal: AbortSignal | undefined): Promise<boolean>;
}

/** No credentials, for public calls. */
export const nobody: Credentials = {
  authorize: async () => undefined,
  renew: async () => false,
};

/**
 * An app password (`hda_…`), which its owner creates for one program and can revoke. It cannot change the
 * account or administer the service.
 */
export function appPassword(password: string): Credentials {
  return { authorize: async () => `Bearer ${password}`, renew: async () => false };
}
