import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Ids } from '../../base/ids.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The owner of a secret. */
interface SecretOwner {
  readonly accountId: number;
  /** The login session that sets the app up; undefined once the app is confirmed. */
  readonly sessionId?: string;
}

/**
 * Encrypts secrets of authenticator apps for the database, with AES-256-GCM and a key derived from the
 * service's secret. A sealed secret is bound to its owner, so it cannot be moved to another row, and no other
 * session can confirm it.
 */
export class SecretBox {
  readonly #key: Buffer;
  readonly #ids: Ids;

  constructor(serviceSecret: string, ids: Ids) {
    this.#key = Buffer.from(hkdfSync('sha256', serviceSecret, '', 'holdall totp secrets', 32));
    this.#ids = ids;
  }

  /** Returns the nonce, the encrypted secret and the tag, in base64url. */
  seal(secret: Uint8Array, owner: SecretOwner): string {
    const nonce = Buffer.from(this.#ids.token(NONCE_BYTES * 8), 'base64url');
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(contextOf(owner));
    const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    return sealed.toString('base64url');
  }

  /** Returns undefined if it was sealed with another service secret, or for another owner. */
  open(sealed: string, owner: SecretOwner): Buffer | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(contextOf(owner))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      return undefined;
    }
  }
}

function contextOf({ accountId, sessionId }: SecretOwner): Buffer {
  return Buffer.from(
    sessionId === undefined ? `account ${accountId}` : `account ${accountId}, session ${sessionId}`,
  );
}
