import type {
  CreationOptions,
  NewCredential,
  RequestOptions,
  UsedCredential,
} from '../../../../../client/src/generated/records.ts';

/** Why the browser returned no passkey. The values are message keys. */
type PasskeyFault = 'passkeyKnown' | 'passkeyUnsuitable' | 'passkeyCancelled';

/** Whether this browser can use passkeys here. They need TLS and a host name that is not an IP address. */
export function canUsePasskeys(): boolean {
  const { hostname } = location;
  const isName = !/^[\d.]+$/.test(hostname) && !hostname.includes(':');
  return isName && isSecureContext && typeof PublicKeyCredential === 'function';
}

/** Whether the browser can suggest passkeys in the username field. */
export async function canSuggestPasskeys(): Promise<boolean> {
  if (!canUsePasskeys()) return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}

/** Creates a passkey on a device of the user. @throws whatever the browser throws; see {@link faultOf} */
export async function createPasskey(options: CreationOptions): Promise<NewCredential> {
  const { challenge, user, excludeCredentials, ...rest } = options;
  const publicKey = {
    ...rest,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: excludeCredentials.map((known) => ({ ...known, id: toBytes(known.id) })),
  };
  // The cast is safe: the strings match the browser's types, and the browser does not modify them.
  const made = await navigator.credentials.create({ publicKey } as unknown as CredentialCreationOptions);
  const { id, rawId, response } = made as PublicKeyCredential;
  const { clientDataJSON, attestationObject, getTransports } = response as AuthenticatorAttestationResponse;
  return {
    ...{ id, rawId: toText(rawId), type: 'public-key' },
    response: {
      clientDataJSON: toText(clientDataJSON),
      attestationObject: toText(attestationObject),
      transports: getTransports === undefined ? [] : getTransports.call(response),
    },
  };
}

/**
 * Asks the user for a passkey.
 * @param isSuggestion whether the browser only suggests passkeys in the username field, until the signal
 *   aborts
 * @throws whatever the browser throws; see {@link faultOf}
 */
export async function askForPasskey(
  { challenge, rpId, timeout, userVerification }: RequestOptions,
  { isSuggestion, signal }: { readonly isSuggestion: boolean; readonly signal: AbortSignal },
): Promise<UsedCredential> {
  const publicKey = { challenge: toBytes(challenge), rpId, timeout, userVerification };
  // The cast is safe: the strings match the browser's types.
  const used = await navigator.credentials.get({
    ...{ publicKey, signal },
    ...(isSuggestion ? { mediation: 'conditional' } : {}),
  } as CredentialRequestOptions);
  const { id, rawId, response } = used as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    response as AuthenticatorAssertionResponse;
  return {
    ...{ id, rawId: toText(rawId), type: 'public-key' },
    response: {
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      userHandle: userHandle === null ? null : toText(userHandle),
    },
  };
}

/** Why the browser returned no passkey; undefined for other errors. */
export function faultOf(error: unknown): PasskeyFault | undefined {
  if (!(error instanceof DOMException)) return undefined;
  if (error.name === 'InvalidStateError') return 'passkeyKnown';
  return ['NotSupportedError', 'ConstraintError'].includes(error.name)
    ? 'passkeyUnsuitable'
    : 'passkeyCancelled';
}

function toBytes(base64Url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64Url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

function toText(buffer: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
