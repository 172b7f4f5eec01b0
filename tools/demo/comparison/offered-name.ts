/**
 * The name under which a browser would save a download (RFC 6266, RFC 8187): `filename*`, otherwise
 * `filename`; undefined if there is neither.
 */
export function readOfferedName(contentDisposition: string | undefined): string | undefined {
  const extended = /;\s*filename\*=utf-8''([^;\s]+)/i.exec(contentDisposition ?? '')?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const quoted = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(contentDisposition ?? '')?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
  return /;\s*filename=([^;\s"]+)/i.exec(contentDisposition ?? '')?.[1];
}
