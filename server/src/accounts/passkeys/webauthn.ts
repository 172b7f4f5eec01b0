import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers';
import type { CreationOptions, NewCredential, RequestOptions, UsedCredential } from './contract.ts';
import { CEREMONY_MS, type RelyingParty } from './relying-party.ts';

/** The algorithms of authenticators, in order of preference: ES256, EdDSA and RS256. */
const ALGORITHMS = [-7, -8, -257];

/** The credential of a verified registration. Ids and keys are base64url. */
export interface VerifiedCredential {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly signCount: number;
}

/**
 * Options for a passkey that the authenticator stores and that it uses only after it has verified its user.
 */
export async function toCreationOptions(
  party: RelyingParty,
  challenge: string,
  user: { readonly handle: string; readonly name: string; readonly displayName: string },
  known: readonly { readonly credentialId: string; readonly transports: readonly string[] }[],
): Promise<CreationOptions> {
  const options = await generateRegistrationOptions({
    rpName: 'Holdall',
    rpID: party.id,
    userID: toBytes(user.handle),
    userName: user.name,
    userDisplayName: user.displayName,
    challenge,
    timeout: CEREMONY_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  // The library's type is wider than what it returns for these arguments.
  return options as CreationOptions;
}

export async function toRequestOptions(party: RelyingParty, challenge: string): Promise<RequestOptions> {
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge,
    timeout: CEREMONY_MS,
    userVerification: 'required',
  });
  // The library's type is wider than what it returns for these arguments.
  return options as RequestOptions;
}

/**
 * Verifies a registration (WebAuthn Level 3, section 7.1); undefined if anything is wrong.
 * @param isOurs whether the text is a challenge that may be answered
 */
export async function verifyCreation(
  party: RelyingParty,
  { id, rawId, type, response }: NewCredential,
  isOurs: (challenge: string) => boolean,
): Promise<VerifiedCredential | undefined> {
  const { clientDataJSON, attestationObject } = response;
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, attestationObject: withoutStatement(attestationObject) },
        clientExtensionResults: {},
      },
      expectedChallenge: (challenge) => isOurs(toChallengeText(challenge)),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: true,
    });
    if (registrationInfo === undefined) return undefined;
    const { credential } = registrationInfo;
    const publicKey = Buffer.from(credential.publicKey).toString('base64url');
    return { credentialId: credential.id, publicKey, signCount: credential.counter };
  } catch {
    // The library throws many kinds of errors, but only for a wrong response.
    return undefined;
  }
}

/**
 * Verifies a login (WebAuthn Level 3, section 7.2) except for the signature counter, which is compared when
 * it is stored. Returns the counter; undefined if anything is wrong.
 * @param isOurs whether the text is a challenge that may be answered
 */
export async function verifyRequest(
  party: RelyingParty,
  { id, rawId, type, response }: UsedCredential,
  publicKey: string,
  isOurs: (challenge: string) => boolean,
): Promise<number | undefined> {
  const { clientDataJSON, authenticatorData, signature } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId, type, clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: (challenge) => isOurs(toChallengeText(challenge)),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // With 0 the library accepts every counter.
      credential: { id, publicKey: toBytes(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws many kinds of errors, but only for a wrong response.
    return undefined;
  }
}

/**
 * Removes the attestation statement, which names the make of the authenticator. The options ask for none, and
 * nothing depends on it, but some authenticators send one anyway. To check it, the library would parse
 * certificates that anyone can send, and fetch revocation lists from the addresses in them.
 */
function withoutStatement(attestationObject: string): string {
  const authData = decodeAttestationObject(toBytes(attestationObject)).get('authData');
  const attestation = new Map<string, string | Uint8Array<ArrayBuffer> | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ]);
  return Buffer.from(isoCBOR.encode(attestation)).toString('base64url');
}

/** The browser sends the challenge back in base64url. */
function toChallengeText(challenge: string): string {
  return Buffer.from(challenge, 'base64url').toString();
}

function toBytes(base64Url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64Url, 'base64url'));
}
