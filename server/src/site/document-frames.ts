import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A page of the client that shows documents of users in a frame. */
interface DocumentFrame {
  /** Its Content-Security-Policy. */
  readonly policy: string;
}

/** The pages in the directory, by the names of their files. */
export function listDocumentFrames(directory: string): ReadonlyMap<string, DocumentFrame> {
  const frames = new Map<string, DocumentFrame>();
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    if (!name.endsWith('.html')) continue;
    const page = readFileSync(path.join(directory, name), 'utf8');
    frames.set(name, { policy: policyOf(page) });
  }
  return frames;
}

/**
 * A document is not trusted. So its page runs without an origin, as if it came from elsewhere; it runs its
 * own script and no other, and loads nothing from anywhere: pictures and fonts are parts of the document. It
 * opens links that people click in tabs of their own.
 */
function policyOf(page: string): string {
  const script = page.slice(page.indexOf('<script>') + '<script>'.length, page.lastIndexOf('</script>'));
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    // Documents are laid out by styles that are made from them.
    "style-src 'unsafe-inline'",
    'img-src blob: data:',
    'font-src blob: data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}
