import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { Id, Nullable, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { DeviceHeaders, LoginState, OwnerBody } from '../contract.ts';

/*
 * The JSON forms of WebAuthn Level 3, section 5.1. Options are the input of
 * `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`; credentials are the
 * output of `credential.toJSON()`. Bytes are base64url.
 */

/** The maximum number of passkeys per account, and of transports per passkey. */
export const MAX_PASSKEYS = 25;
const MAX_TRANSPORTS = 10;

const Text = Type.String();
const KeyType = Type.Literal('public-key');

const Descriptor = Type.Object({
  id: Text,
  type: KeyType,
  transports: Type.Optional(Type.Array(Text, { maxItems: MAX_TRANSPORTS })),
});

export const CreationOptions = Type.Object({
  rp: Type.Object({ id: Text, name: Text }),
  user: Type.Object({ id: Text, name: Text, displayName: Text }),
  challenge: Text,
  pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: KeyType }), { maxItems: 10 }),
  timeout: Type.Integer({ description: 'milliseconds' }),
  excludeCredentials: Type.Array(Descriptor, { maxItems: MAX_PASSKEYS }),
  authenticatorSelection: Type.Object({
    residentKey: Text,
    requireResidentKey: Type.Boolean(),
    userVerification: Text,
  }),
  attestation: Text,
  extensions: Type.Object({ credProps: Type.Boolean() }),
});
export type CreationOptions = Static<typeof CreationOptions>;

export const RequestOptions = Type.Object({
  challenge: Text,
  timeout: Type.Integer({ description: 'milliseconds' }),
  rpId: Text,
  userVerification: Text,
});
export type RequestOptions = Static<typeof RequestOptions>;

/** The id of a credential has at most 1,023 bytes. */
const CredentialId = Type.String({ maxLength: 1_400 });
const ClientData = Type.String({ maxLength: 8_192 });

const credentialFields = { id: CredentialId, rawId: CredentialId, type: KeyType };

export const NewCredential = Type.Object({
  ...credentialFields,
  response: Type.Object({
    clientDataJSON: ClientData,
    attestationObject: Type.String({ maxLength: 32_768 }),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: MAX_TRANSPORTS })),
  }),
});
export type NewCredential = Static<typeof NewCredential>;

export const UsedCredential = Type.Object({
  ...credentialFields,
  response: Type.Object({
    clientDataJSON: ClientData,
    authenticatorData: Type.String({ maxLength: 4_096 }),
    signature: Type.String({ maxLength: 8_192 }),
    userHandle: Type.Optional(Nullable(Type.String({ maxLength: 128 }))),
  }),
});
export type UsedCredential = Static<typeof UsedCredential>;

export const PasskeyRecord = Type.Object({
  id: Id,
  name: Text,
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
});
export type PasskeyRecord = Static<typeof PasskeyRecord>;

export const NewPasskeyBody = Type.Object({
  name: Type.String({ maxLength: 512 }),
  credential: NewCredential,
});

export const PasskeyLoginBody = Type.Object({ credential: UsedCredential });

/** Well-formed, but not from a real authenticator. */
const exampleCredential = { id: 'ZXhhbXBsZQ', rawId: 'ZXhhbXBsZQ', type: 'public-key' };

export const startPasskeyLogin = operation('POST /api/auth/passkey/options', {
  does: 'Prepares a login with a passkey.',
  access: 'public',
  appPassword: 'never',
  data: RequestOptions,
  example: {},
});

export const logInWithPasskey = operation('POST /api/auth/passkey', {
  does: 'Logs in with a passkey.',
  access: 'public',
  appPassword: 'never',
  headers: DeviceHeaders,
  body: PasskeyLoginBody,
  data: LoginState,
  example: {
    body: {
      credential: {
        ...exampleCredential,
        response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
      },
    },
  },
});

export const startPasskey = operation('POST /api/user/passkeys/options', {
  does: 'Prepares the creation of a passkey in the browser.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  body: OwnerBody,
  data: CreationOptions,
  example: { body: { password: EXAMPLE.password } },
});

export const createPasskey = operation('POST /api/user/passkeys', {
  does: 'Stores a passkey that the browser has created.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  body: NewPasskeyBody,
  data: PasskeyRecord,
  example: {
    body: {
      name: 'Phone',
      credential: { ...exampleCredential, response: { clientDataJSON: 'e30', attestationObject: 'oA' } },
    },
  },
});

export const listPasskeys = operation('GET /api/user/passkeys', {
  does: 'Lists the passkeys of the caller, the newest first.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  data: Type.Array(PasskeyRecord, { maxItems: MAX_PASSKEYS }),
  example: {},
});

export const deletePasskey = operation('DELETE /api/user/passkeys/{id}', {
  does: 'Deletes a passkey of the caller.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  path: Type.Object({ id: Id }),
  body: OwnerBody,
  example: { path: { id: EXAMPLE.passkey }, body: { password: EXAMPLE.password } },
});
