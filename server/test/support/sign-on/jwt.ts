import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** An RSA key that signs tokens, and its name. */
export interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

export function createSigningKey(id: string): SigningKey {
  return { id, privateKey: generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey };
}

export function toPrivateJwk({ id, privateKey }: SigningKey): object {
  return { ...privateKey.export({ format: 'jwk' }), kid: id, alg: 'RS256', use: 'sig' };
}

/** The claims of a token. The signature is not checked. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** A token with RS256. */
export function signToken(claims: object, { id, privateKey }: SigningKey): string {
  const text = toText({ alg: 'RS256', kid: id, typ: 'JWT' }, claims);
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

/** A token without a signature. */
export function withoutSignature(claims: object): string {
  return `${toText({ alg: 'none' }, claims)}.`;
}

/** A token signed with HS256, with a text as the key. */
export function signWithText(claims: object, secret: string): string {
  const text = toText({ alg: 'HS256' }, claims);
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function toText(header: object, claims: object): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}
