/**
 * `Content-Disposition` of a download (RFC 6266): the name in UTF-8 for everybody who reads RFC 8187, and
 * before it an ASCII likeness for the rest. Always `attachment`: what people upload is never shown as a page
 * of ours.
 */
export function toAttachment(name: string): string {
  return `attachment; filename="${toAsciiLikeness(name)}"; filename*=UTF-8''${toExtendedValue(name)}`;
}

// RFC 6266, appendix D: in the quoted form some clients take `\` and `%41` for an escape, others do not.
function toAsciiLikeness(name: string): string {
  return name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
}

/** RFC 8187, section 3.2.1: of what encodeURIComponent leaves as it stands, `'()*` are not attr-char. */
export function toExtendedValue(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
