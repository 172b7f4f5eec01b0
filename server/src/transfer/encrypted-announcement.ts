// Checks announcements of files that the sender's page encrypts. docs/encrypted-transfer.md describes the
// format. The service has no key, so it checks only what it can see.
import { Failure } from '../base/failure.ts';
import { toFileName } from '../base/text/names/file-name.ts';
import type { Announced } from './contract.ts';
import type { AnnouncedFile } from './transfer-session.ts';

const TAG_BYTES = 16;
/** A record of 64 KiB and its tag. */
const RECORD_BYTES = 65_536 + TAG_BYTES;

/**
 * The salt of an encrypted session; null for a session that is not encrypted.
 * @throws Failure `invalid` for an encrypted session without a salt, and for a salt without encryption
 */
export function toSalt(sent: {
  readonly encrypted?: boolean | null;
  readonly salt?: string | null;
}): string | null {
  const { encrypted, salt = null } = sent;
  if (encrypted === true && salt === null) {
    throw new Failure('invalid', 'An encrypted transfer must have a salt.');
  }
  if (encrypted !== true && salt !== null) {
    throw new Failure('invalid', 'Only an encrypted transfer has a salt.');
  }
  return salt;
}

/**
 * Checks a file of an encrypted session.
 * @param index its position among the files, which is part of its placeholder name
 * @throws Failure `invalid` when something is missing or was sent unencrypted
 */
export function toEncryptedFile(sent: Announced, index: number): AnnouncedFile {
  const { name, filename, encryptedName, relativePath, contentType, size } = sent;
  const placeholder = `file-${index}`;
  if ((name ?? filename) !== placeholder) {
    throw new Failure('invalid', `In an encrypted transfer this file must be named "${placeholder}".`);
  }
  if (encryptedName == null) {
    throw new Failure('invalid', 'Each file of an encrypted transfer must have an encrypted name.');
  }
  if (relativePath != null || contentType != null) {
    throw new Failure(
      'invalid',
      'In an encrypted transfer, path and content type belong into the encrypted name.',
    );
  }
  if (!isEncryptedSize(size)) {
    throw new Failure('invalid', 'The size is not that of an encrypted file.');
  }
  return { name: toFileName(placeholder), encryptedName, relativePath: null, size, contentType: null };
}

/** Whether a sequence of records can have this size. Only an empty file has a record without content. */
function isEncryptedSize(size: number): boolean {
  const last = size % RECORD_BYTES;
  return size > 0 && (last === 0 || last > TAG_BYTES || size === TAG_BYTES);
}
