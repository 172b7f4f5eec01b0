import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Ids } from './ids.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets for the database, with AES-256-GCM and a key derived from the service's secret. A sealed
 * secret is bound to its context, such as the account that owns it, so it cannot be moved to another row.
 */
export class SecretBox {
  readonly #key: Buffer;
  readonly #ids: Ids;

  /** @param purpose boxes with different purposes cannot open each other's secrets */
  constructor(serviceSecret: string, purpose: string, ids: Ids) {
    this.#key = Buffer.from(hkdfSync('sha256', serviceSecret, '', purpose, 32));
    this.#ids = ids;
  }

  /** Returns the nonce, the encrypted secret and the tag, in base64url. */
  seal(secret: Uint8Array, context: string): string {
    const nonce = Buffer.from(this.#ids.token(NONCE_BYTES * 8), 'base64url');
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    return sealed.toString('base64url');
  }

  /** Returns undefined if it was sealed with another service secret, or for another context. */
  open(sealed: string, context: string): Buffer | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      return undefined;
    }
  }
}
