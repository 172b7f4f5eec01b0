import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type {
  CreationOptions,
  NewCredential,
  PasskeyRecord,
  RequestOptions,
  UsedCredential,
} from '../../../src/accounts/passkeys/contract.ts';
import type { Answer, LoginState, Person } from './person.ts';

export const PASSKEYS = '/api/user/passkeys';
export const PASSKEY_LOGIN = '/api/auth/passkey';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** Wrong values that replace the right ones in an answer. */
export interface Faults {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly flags?: number;
  readonly signCount?: number;
  readonly userHandle?: string | null;
  /** The format of an attestation that the service did not request. Its statement is nonsense. */
  readonly attestation?: string;
}

/** An authenticator with one passkey: an ES256 key, as WebAuthn describes it, and the browser around it. */
export class SoftwareAuthenticator {
  signCount = 0;
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #id = randomBytes(32);
  #userHandle = '';

  /** @param url the URL of the service, at a loopback address */
  constructor(url: string) {
    this.#origin = `http://localhost:${new URL(url).port}`;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#publicKey = publicKey;
  }

  get id(): string {
    return this.#id.toString('base64url');
  }

  create(options: CreationOptions, faults: Faults = {}): NewCredential {
    this.#userHandle = options.user.id;
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const publicKey = new Map<number, number | Uint8Array<ArrayBuffer>>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, bytes(Buffer.from(x, 'base64url'))],
      [-3, bytes(Buffer.from(y, 'base64url'))],
    ]);
    const authData = Buffer.concat([
      this.#authenticatorData(options.rp.id, HAS_CREDENTIAL, faults),
      Buffer.alloc(16),
      Buffer.from([0, this.#id.length]),
      this.#id,
      isoCBOR.encode(publicKey),
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', faults.attestation ?? 'none'],
      ['attStmt', new Map(faults.attestation === undefined ? [] : [['x5c', [bytes(randomBytes(64))]]])],
      ['authData', bytes(authData)],
    ]);
    const encoded = isoCBOR.encode(attestation as unknown as Parameters<typeof isoCBOR.encode>[0]);
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key' },
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, faults).toString('base64url'),
        attestationObject: Buffer.from(encoded).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  use(options: RequestOptions, faults: Faults = {}): UsedCredential {
    const authData = this.#authenticatorData(options.rpId, 0, faults);
    const clientData = this.#clientData('webauthn.get', options.challenge, faults);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key' },
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#key).toString('base64url'),
        userHandle: faults.userHandle === undefined ? this.#userHandle : faults.userHandle,
      },
    };
  }

  #clientData(type: string, challenge: string, faults: Faults): Buffer {
    const { origin = this.#origin, ...others } = faults;
    const fields = { type: others.type ?? type, challenge: others.challenge ?? challenge, origin };
    return Buffer.from(JSON.stringify({ ...fields, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, moreFlags: number, faults: Faults): Buffer {
    const flags = (faults.flags ?? USER_PRESENT | USER_VERIFIED) | moreFlags;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(faults.signCount ?? this.signCount);
    const host = createHash('sha256')
      .update(faults.rpId ?? rpId)
      .digest();
    return Buffer.concat([host, Buffer.from([flags]), counter]);
  }
}

function bytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(buffer);
}

/** Adds a passkey to the account of a person. */
export async function addPasskey(
  person: Person,
  name = 'my phone',
): Promise<{ authenticator: SoftwareAuthenticator; record: PasskeyRecord }> {
  const authenticator = new SoftwareAuthenticator(person.url);
  const options = await person.ask<CreationOptions>('POST', `${PASSKEYS}/options`);
  const body = { name, credential: authenticator.create(options) };
  return { authenticator, record: await person.ask('POST', PASSKEYS, { body }) };
}

export function askForPasskey(person: Person): Promise<RequestOptions> {
  return person.with(undefined).ask('POST', `${PASSKEY_LOGIN}/options`);
}

export function sendPasskey(
  person: Person,
  credential: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<LoginState>> {
  return person.with(undefined).call('POST', PASSKEY_LOGIN, { body: { credential }, headers });
}
