/** A message in the form of RFC 5322, decoded. */
export interface ReceivedMessage {
  /** The header fields by their names in lower case, unfolded and decoded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Reads a message with a text and an HTML part. */
export function parseMessage(source: string): ReceivedMessage {
  const { headers, body } = splitHeaders(source);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitHeaders(part.replace(/^\r\n/, '')));
  const find = (type: string) => {
    const part = parts.find((each) => each.headers.get('content-type')?.startsWith(type));
    return part === undefined
      ? ''
      : decodeBody(part.body, part.headers.get('content-transfer-encoding') ?? '');
  };
  return {
    headers: new Map([...headers].map(([name, value]) => [name, decodeWords(value)])),
    subject: decodeWords(headers.get('subject') ?? ''),
    text: find('text/plain'),
    html: find('text/html'),
  };
}

function splitHeaders(source: string) {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: source.slice(end + 4) };
}

function decodeBody(body: string, encoding: string): string {
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? decodeQuotedPrintable(body.replaceAll('=\r\n', ''))
        : Buffer.from(body);
  return bytes.toString().replaceAll('\r\n', '\n').trimEnd();
}

function decodeQuotedPrintable(text: string): Buffer {
  return Buffer.from(
    text.replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** Decodes the encoded words of a header field (RFC 2047). */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, encoded: string) =>
      (kind.toLowerCase() === 'b'
        ? Buffer.from(encoded, 'base64')
        : decodeQuotedPrintable(encoded.replaceAll('_', ' '))
      ).toString(),
    );
}
