// The keys of an encrypted transfer: docs/encrypted-transfer.md, "Keys".

const ROUNDS = 600_000;
export const SALT_BYTES = 16;
const KEY_BITS = 256;

/** Whether WebCrypto is available. Browsers provide it only to pages with TLS or from this machine. */
export function canEncrypt(): boolean {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  return subtle !== undefined;
}

export function newSalt(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(SALT_BYTES));
}

/** The keys derived from one secret and one salt. */
export class TransferKeys {
  readonly #master: CryptoKey;
  readonly #salt: Uint8Array<ArrayBuffer>;

  private constructor(master: CryptoKey, salt: Uint8Array<ArrayBuffer>) {
    this.#master = master;
    this.#salt = salt;
  }

  /** Takes some tenths of a second. @param secret in its canonical form */
  static async derive(secret: string, salt: Uint8Array<ArrayBuffer>): Promise<TransferKeys> {
    const typed = await crypto.subtle.importKey('raw', encode(secret), 'PBKDF2', false, ['deriveBits']);
    const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS };
    const bits = await crypto.subtle.deriveBits(derivation, typed, KEY_BITS);
    const master = await crypto.subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey']);
    return new TransferKeys(master, salt);
  }

  /** The key for the content of the file with this index. */
  ofFile(index: number): Promise<CryptoKey> {
    return this.#deriveCipher(`holdall file ${index}`);
  }

  /** The key for the name of the file with this index. */
  ofName(index: number): Promise<CryptoKey> {
    return this.#deriveCipher(`holdall name ${index}`);
  }

  /** The key for the proof that the other page also knows the secret. */
  ofPeer(): Promise<CryptoKey> {
    const hmac = { name: 'HMAC', hash: 'SHA-256', length: KEY_BITS };
    return crypto.subtle.deriveKey(this.#expand('holdall peer'), this.#master, hmac, false, [
      'sign',
      'verify',
    ]);
  }

  #deriveCipher(info: string): Promise<CryptoKey> {
    const cipher = { name: 'AES-GCM', length: KEY_BITS };
    return crypto.subtle.deriveKey(this.#expand(info), this.#master, cipher, false, ['encrypt', 'decrypt']);
  }

  #expand(info: string): HkdfParams {
    return { name: 'HKDF', hash: 'SHA-256', salt: this.#salt, info: encode(info) };
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
