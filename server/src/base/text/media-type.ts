const MAX_LENGTH = 128;
// More than real clients send. It bounds the work on longer values.
const MAX_SENT_LENGTH = 1_024;

const TYPE = /^[ \t]*([!#$%&'*+\-.^_`|~0-9a-z]+\/[!#$%&'*+\-.^_`|~0-9a-z]+)[ \t]*/iy;
const PARAMETER =
  /;[ \t]*(?:([!#$%&'*+\-.^_`|~0-9a-z]+)=(?:([!#$%&'*+\-.^_`|~0-9a-z]+)|"((?:[^"\\]|\\.)*)"))?[ \t]*/iy;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;

/**
 * Normalises a media type that a client sent: lower case, no parameter except `charset`, at most 128
 * characters. Undefined for text that does not follow RFC 9110, section 8.3.1. The result is safe in a
 * header.
 */
export function toMediaType(text: string): string | undefined {
  if (text.length > MAX_SENT_LENGTH) return undefined;
  TYPE.lastIndex = 0;
  const type = TYPE.exec(text)?.[1]?.toLowerCase();
  if (type === undefined) return undefined;
  const charset = findCharset(text, TYPE.lastIndex);
  if (charset === 'malformed') return undefined;
  const cleaned = charset.name === undefined ? type : `${type}; charset=${charset.name}`;
  return cleaned.length > MAX_LENGTH ? undefined : cleaned;
}

/**
 * The `Content-Type` of a download: the stored type, or plain bytes if it is unknown or not valid in a
 * header.
 */
export function toContentType(stored: string | null): string {
  return (stored === null ? undefined : toMediaType(stored)) ?? 'application/octet-stream';
}

function findCharset(text: string, from: number): { name: string | undefined } | 'malformed' {
  let name: string | undefined;
  let position = from;
  while (position < text.length) {
    PARAMETER.lastIndex = position;
    const found = PARAMETER.exec(text);
    if (found === null) return 'malformed';
    position = PARAMETER.lastIndex;
    const value = found[2] ?? found[3] ?? '';
    if (name === undefined && found[1]?.toLowerCase() === 'charset' && TOKEN.test(value))
      name = value.toLowerCase();
  }
  return { name };
}
