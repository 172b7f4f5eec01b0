import { findMediaType, SIGNATURE_BYTES } from '../formats/media/media-signatures.ts';
import { isReadable } from './encoding.ts';

/** The number of first bytes that {@link findFormat} needs. */
export const HEAD_BYTES = SIGNATURE_BYTES;

/** Only so many first bytes of plain text are read. They have more text than is kept, in any encoding. */
export const MAX_PLAIN_BYTES = 8 * 1_024 * 1_024;

/** A way to take text from a file. The first format that accepts a file is used. */
interface FormatRule {
  readonly name: FormatName;
  /** @param text the head, a character for each byte */
  readonly accepts: (head: Buffer, text: string, fileName: string) => boolean;
}

/** Each has an extractor in `extractors/extractors.ts`. */
export const FORMAT_NAMES = ['pdf', 'archive', 'compound', 'email', 'html', 'text'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** PDFs may begin with other bytes. */
const MAX_BEFORE_PDF = 1_024;
const PDF_START = /^(?:\xef\xbb\xbf)?\s*%PDF-/;
/** The start of a print job, and of a ZIP archive. */
const PRINT_JOB = '\x1b%-12345X';
const ZIP_ENTRY = 'PK\x03\x04';

/** What the first entries of documents in a ZIP archive are called. */
const DOCUMENT_ENTRIES =
  /^(?:mimetype|\[Content_Types\]\.xml|content\.xml|(?:_rels|docProps|customXml|word|xl|ppt|META-INF|OEBPS|OPS)\/)/;
const DOCUMENT_NAMES = /\.(?:do[ct][xm]|xl[st][xm]|p(?:pt|ps|ot)[xm]|o[dt][tsp]|epub)$/i;

/** Text files whose words are not what a person reads. */
const MARKED_UP = /^\s*(?:\{\\rtf|%!PS|<\?xml[^>]{0,200}\?>\s*<pkg:package)/;

const HTML_NAMES = /\.(?:x?html?|xht)$/i;
const HTML_START =
  /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html)\b/i;

const EMAIL_NAME = /\.(?:eml|mht|mhtml|mbox)$/i;
/** A name of a header at the start of a line. */
const HEADER = /^[!-9;-~]{1,76}:/;
/** Every message has some of these headers. */
const EMAIL_HEADERS =
  /^(?:received|return-path|delivered-to|message-id|mime-version|from|to|subject|date|content-type|x-[\w-]+):/gim;
/** Written by mail programs and servers, while memos may have a sender, a subject and a date. */
const TECHNICAL_HEADER = /^(?:received|message-id|mime-version):/im;

const RULES: readonly FormatRule[] = [
  { name: 'pdf', accepts: (head, text) => isPdf(head, text) },
  {
    name: 'archive',
    accepts: (_head, text, name) => {
      if (!text.startsWith(ZIP_ENTRY)) return false;
      return DOCUMENT_ENTRIES.test(text.slice(30, 100)) || DOCUMENT_NAMES.test(name);
    },
  },
  { name: 'compound', accepts: (_head, text) => text.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') },
  { name: 'email', accepts: (_head, text, name) => isEmail(text, name) },
  { name: 'html', accepts: (head, text, name) => isHtml(head, text, name) },
  { name: 'text', accepts: (head, text, name) => isPlain(head, text, name) },
];

/**
 * Finds the format of a file by its first bytes, and by its name where they say too little. Undefined if such
 * files have no text.
 */
export function findFormat(bytes: Uint8Array, fileName: string): FormatName | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES));
  const text = head.toString('latin1');
  return RULES.find(({ accepts }) => accepts(head, text, fileName))?.name;
}

/** A text may mention the signature, and an archive may contain a PDF. */
function isPdf(head: Buffer, text: string): boolean {
  if (PDF_START.test(text)) return true;
  if (text.startsWith(ZIP_ENTRY) || !text.slice(0, MAX_BEFORE_PDF).includes('%PDF-')) return false;
  return text.startsWith(PRINT_JOB) || !isReadable(head);
}

function isEmail(text: string, name: string): boolean {
  if (text.includes('\0')) return false;
  // Mailbox files and mail servers put a line before the headers.
  const [start = ''] = text.replace(/^(?:From |>From )[^\n]*\n/, '').split(/\r?\n\r?\n/, 1);
  if (!HEADER.test(start)) return false;
  const found = new Set(Array.from(start.matchAll(EMAIL_HEADERS), ([header]) => header.toLowerCase()));
  return EMAIL_NAME.test(name) ? found.size > 0 : found.size >= 3 && TECHNICAL_HEADER.test(start);
}

function isHtml(head: Buffer, text: string, name: string): boolean {
  const readable = isReadable(head);
  if (!readable) return false;
  // In UTF-16, every other byte is zero.
  const plain = text.replaceAll('\0', '').replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
  return HTML_START.test(plain) || (HTML_NAMES.test(name) && plain.includes('<'));
}

function isPlain(head: Buffer, text: string, name: string): boolean {
  // Other signatures of media also begin readable texts, such as "MAC address" and "ID3 tags".
  return isReadable(head) && !MARKED_UP.test(text) && findMediaType(head, name) !== 'image/svg+xml';
}
