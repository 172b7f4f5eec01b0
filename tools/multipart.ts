import { randomBytes } from 'node:crypto';

interface FilePart {
  /** Sent before the file, so that a server knows them when the bytes arrive. */
  readonly fields: Readonly<Record<string, string>>;
  readonly filename: string;
  readonly contentType?: string;
}

/** The parts before and after the bytes of one file in a `multipart/form-data` body (RFC 7578). */
export interface MultipartFrame {
  readonly contentType: string;
  readonly head: Buffer;
  readonly tail: Buffer;
}

export function frameFile(part: FilePart): MultipartFrame {
  const boundary = `holdall-${randomBytes(12).toString('hex')}`;
  const fields = Object.entries(part.fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = [
    ...fields,
    `--${boundary}\r\n`,
    `Content-Disposition: form-data; name="file"; filename="${quote(part.filename)}"\r\n`,
    `Content-Type: ${part.contentType ?? 'application/octet-stream'}\r\n\r\n`,
  ];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(head.join('')),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

// Browsers send a quote as %22. A parser cannot tell that from a name that contains "%22", so the quote would
// arrive as %22. The quoted pair of RFC 2183 arrives as a quote.
function quote(filename: string): string {
  return filename.replace(/["\\]/g, '\\$&');
}
