import { decodePlainText } from '../encoding.ts';
import { type FormatName, MAX_PLAIN_BYTES } from '../formats.ts';
import { NoText } from '../no-text.ts';
import type { TextCollector } from '../text-collector.ts';

/** @throws NoText, TextLimitReached, and any error of a library for a damaged file */
type Extract = (bytes: Buffer, out: TextCollector, isTimeUp: () => boolean) => Promise<void>;

/** How text is taken from each format. The code is loaded with the first file that needs it. */
export const EXTRACTORS: Readonly<Record<FormatName, () => Promise<Extract>>> = {
  pdf: async () => (await import('./pdf.ts')).extractPdf,
  archive: async () => (await import('./archive.ts')).extractArchive,
  compound: async () => extractCompound,
  email: async () => (await import('./email.ts')).extractEmail,
  html: async () => {
    const { collectHtml } = await import('../html.ts');
    return (bytes, out) => collectHtml(bytes, out);
  },
  text: async () => extractPlainText,
};

async function extractPlainText(bytes: Buffer, out: TextCollector): Promise<void> {
  out.add(await decodePlainText(bytes, { isCut: bytes.length === MAX_PLAIN_BYTES }));
}

/** The name of the stream with the encrypted document ([MS-OFFCRYPTO], section 2.3.4.4). */
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');

/** Compound files are encrypted documents, or documents of old programs, whose text is not read. */
async function extractCompound(bytes: Buffer): Promise<void> {
  throw bytes.includes(ENCRYPTED_STREAM)
    ? new NoText('encrypted', 'The document is encrypted.')
    : new NoText('unknown-type', 'The document is from an old program.');
}
