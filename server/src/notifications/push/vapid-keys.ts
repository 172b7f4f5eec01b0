import { createECDH } from 'node:crypto';

const CURVE = 'prime256v1';

/** The key pair with which push services recognise this server (VAPID, RFC 8292), in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A new private key. */
export function newVapidKey(): string {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return toText(pair.getPrivateKey());
}

export function toVapidKeys(privateKey: string): VapidKeys {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey, 'base64url');
  return { publicKey: pair.getPublicKey('base64url'), privateKey };
}

/** Keys begin with zero bytes now and then. Node leaves those out, but the key must have its full length. */
function toText(key: Buffer): string {
  return Buffer.concat([Buffer.alloc(Math.max(0, 32 - key.length)), key]).toString('base64url');
}
