// node tools/encrypted-transfer/decode-transfer.ts SECRET SALT INDEX ENCRYPTED_NAME CIPHERTEXT_FILE
// OUTPUT_FILE
//
// Decrypts one file of an encrypted transfer, and prints its name as JSON. It was written only from
// docs/encrypted-transfer.md and imports nothing from Holdall. So it checks the documentation, and can
// decrypt a transfer without trusting a page from the service. SALT, INDEX (the position in `files`, from 0)
// and ENCRYPTED_NAME are those of the session. With `-` as SECRET, the secret is read from standard input, so
// that the process list does not show it. OUTPUT_FILE must not exist; it appears only once all bytes were
// checked. The name inside the transfer comes from another machine, so it is only shown.
import { createDecipheriv, hkdfSync, pbkdf2Sync, randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECORD_BYTES = 65_536;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const MAX_RECORDS = 2 ** 32;
const MAX_NAME_LENGTH = 4_096;

interface TransferKey {
  readonly master: Buffer;
  readonly salt: Buffer;
}

interface FileDescription {
  readonly name: string;
  readonly relativePath: string | null;
  readonly contentType: string | null;
  /** Bytes of the content. */
  readonly size: number;
}

/** The canonical form of a secret typed by a person. @throws Error with a sentence for the user */
export function toCanonical(secret: string): string {
  const letters = secret.replace(/[\s-]/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const canonical = letters.replaceAll('O', '0').replace(/[IL]/g, '1');
  if (canonical.length === 16 && [...canonical].every((letter) => ALPHABET.includes(letter)))
    return canonical;
  throw new Error('A secret has 16 letters and digits, and no U.');
}

/** Synchronous and slow on purpose (PBKDF2). @throws Error with a sentence for the user */
export function toTransferKey(secret: string, salt: string): TransferKey {
  const password = Buffer.from(toCanonical(secret), 'ascii');
  const saltBytes = fromBase64url(salt);
  if (saltBytes?.length !== 16) throw new Error('A salt has 16 bytes, which are 22 characters of base64url.');
  return { master: pbkdf2Sync(password, saltBytes, 600_000, 32, 'sha256'), salt: saltBytes };
}

export function deriveKey({ master, salt }: TransferKey, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, salt, info, 32));
}

/** @throws Error with a sentence for the user */
export function openName(transferKey: TransferKey, index: number, encryptedName: string): FileDescription {
  const bytes = encryptedName.length > MAX_NAME_LENGTH ? undefined : fromBase64url(encryptedName);
  if (bytes === undefined) throw new Error('The encrypted name is not base64url, or too long.');
  const key = deriveKey(transferKey, `holdall name ${index}`);
  const text = unseal(key, bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES));
  if (text === undefined) {
    throw new Error(
      'The name does not open: the secret, the salt, the index or the name is not the right one.',
    );
  }
  const description = readDescription(text);
  if (description === undefined) throw new Error('The name opens, but does not describe a file.');
  return description;
}

function readDescription(bytes: Buffer): FileDescription | undefined {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    );
    if (typeof value !== 'object' || value === null) return undefined;
    const { name, relativePath = null, contentType = null, size } = value as Record<string, unknown>;
    if (typeof name !== 'string' || !isTextOrNull(relativePath) || !isTextOrNull(contentType))
      return undefined;
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined;
    return countRecords(size) <= MAX_RECORDS ? { name, relativePath, contentType, size } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Decrypts the ciphertext of a file whose content has `size` bytes, one record at a time.
 * @throws Error with a sentence for the user, after some records may have been written
 */
export async function decodeContent(
  key: Buffer,
  size: number,
  source: FileHandle,
  target: FileHandle,
): Promise<void> {
  const records = countRecords(size);
  const buffer = Buffer.alloc(RECORD_BYTES + TAG_BYTES);
  for (let number = 0; number < records; number += 1) {
    const isLast = number === records - 1;
    const sealed = buffer.subarray(0, (isLast ? size - number * RECORD_BYTES : RECORD_BYTES) + TAG_BYTES);
    if (!(await fill(source, sealed))) throw new Error('The ciphertext is shorter than its name says.');
    const nonce = Buffer.alloc(NONCE_BYTES);
    nonce.writeUInt32BE(number, 7);
    nonce.writeUInt8(isLast ? 1 : 0, 11);
    const content = unseal(key, nonce, sealed);
    if (content === undefined) throw new Error(`Record ${number} is not what the sender encrypted there.`);
    await target.writeFile(content);
  }
  if (await fill(source, buffer.subarray(0, 1)))
    throw new Error('The ciphertext is longer than its name says.');
}

/** Reads until the buffer is full; false if the file ends earlier. */
async function fill(source: FileHandle, buffer: Buffer): Promise<boolean> {
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await source.read(buffer, filled, buffer.length - filled, null);
    if (bytesRead === 0) return false;
    filled += bytesRead;
  }
  return true;
}

/** Decrypts AES-256-GCM, with the tag after the ciphertext; undefined if the tag is wrong or missing. */
function unseal(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const content = decipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
    return content;
  } catch {
    return undefined;
  }
}

function countRecords(size: number): number {
  return Math.max(1, Math.ceil(size / RECORD_BYTES));
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

/** Undefined for anything an encoder does not write: other characters, padding, leftover bits. */
function fromBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/** JSON without characters that would control the terminal or be invisible. */
function toPrintable(description: FileDescription): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escapeAll = (text: string) => text.split('').map(escapeUnit).join('');
  return JSON.stringify(description).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeAll);
}

/** Decrypts into a temporary file next to the output, and renames it to the output once it is complete. */
async function decodeFile(key: Buffer, size: number, sourceFile: string, outputFile: string): Promise<void> {
  if (lstatSync(outputFile, { throwIfNoEntry: false })) throw new Error(`${outputFile} is already there.`);
  const temporary = `${outputFile}.${randomBytes(6).toString('hex')}.part`;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      rmSync(temporary, { force: true });
      process.kill(process.pid, signal);
    });
  }
  const source = await open(sourceFile, 'r');
  try {
    const target = await open(temporary, 'wx', 0o600);
    try {
      await decodeContent(key, size, source, target);
      await target.sync();
    } finally {
      await target.close();
    }
    await rename(temporary, outputFile);
  } finally {
    await source.close();
    rmSync(temporary, { force: true });
  }
}

async function main(words: readonly string[]): Promise<void> {
  const [secret, salt, index, encryptedName, sourceFile, outputFile, ...others] = words;
  if (!secret || !salt || !index || !encryptedName || !sourceFile || !outputFile || others.length > 0) {
    throw new Error('Usage: decode-transfer.ts SECRET SALT INDEX ENCRYPTED_NAME CIPHERTEXT_FILE OUTPUT_FILE');
  }
  if (!/^(?:0|[1-9]\d{0,8})$/.test(index)) throw new Error('INDEX is a number, from 0.');
  const transferKey = toTransferKey(secret === '-' ? readFileSync(0, 'utf8') : secret, salt);
  const description = openName(transferKey, Number(index), encryptedName);
  await decodeFile(deriveKey(transferKey, `holdall file ${index}`), description.size, sourceFile, outputFile);
  process.stdout.write(`${toPrintable(description)}\n`);
}

if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
