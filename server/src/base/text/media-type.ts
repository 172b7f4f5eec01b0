const MAX_LENGTH = 128;
// Enough for what clients really send; bounds the work on the rest.
const MAX_SENT_LENGTH = 1_024;

const TYPE = /^[ \t]*([!#$%&'*+\-.^_`|~0-9a-z]+\/[!#$%&'*+\-.^_`|~0-9a-z]+)[ \t]*/iy;
const PARAMETER =
  /;[ \t]*(?:([!#$%&'*+\-.^_`|~0-9a-z]+)=(?:([!#$%&'*+\-.^_`|~0-9a-z]+)|"((?:[^"\\]|\\.)*)"))?[ \t]*/iy;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;

/**
 * Cleans a media type that somebody sent: lower case, no parameter but `charset`, at most 128 characters.
 * Undefined for what does not follow RFC 9110, section 8.3.1. What comes out is safe in a header.
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

/** What a download says of bytes of that stored type: what is not fit for a header, or not known, is plain bytes. */
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
