/**
 * The `Content-Disposition` of a download (RFC 6266): an ASCII approximation of the name for old clients,
 * then the name in UTF-8 (RFC 8187). Always `attachment`, so that uploaded content is never shown as a page
 * of this origin.
 */
export function toAttachment(name: string): string {
  return `attachment; filename="${toAsciiApproximation(name)}"; filename*=UTF-8''${toExtendedValue(name)}`;
}

// RFC 6266, appendix D: clients disagree on whether `\` and `%41` are escapes in the quoted form, so neither
// is used.
function toAsciiApproximation(name: string): string {
  return name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
}

/**
 * Encodes a value as RFC 8187 requires. encodeURIComponent does not escape `'()*`, which are not attr-char
 * (section 3.2.1).
 */
export function toExtendedValue(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
