import { NoText } from '../no-text.ts';

/** The name of the stream with the encrypted document ([MS-OFFCRYPTO], section 2.3.4.4). */
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');

/** Compound files are encrypted documents, or documents of old programs, whose text is not read. */
export async function extractCompound(bytes: Buffer): Promise<void> {
  throw bytes.includes(ENCRYPTED_STREAM)
    ? new NoText('encrypted', 'The document is encrypted.')
    : new NoText('unknown-type', 'The document is from an old program.');
}
