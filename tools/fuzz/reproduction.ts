import type { EncodedRequest } from './requests/encoding.ts';

/** Longer texts are cut. To repeat the request exactly, use the seed and its number. */
const SHOWN = 600;

/** A curl command for people, with `$URL` and `$TOKEN` in place of those of this run. */
export function toCurl({ method, target, headers, body }: EncodedRequest): string {
  const words = ['curl', '-i', '--path-as-is', '-X', method, quote(`$URL${cut(target)}`)];
  for (const [name, value] of headers) {
    if (name === 'host' || name === 'content-length') continue;
    const isToken = name === 'authorization' && value.startsWith('Bearer ey');
    words.push('-H', quote(`${name}: ${isToken ? 'Bearer $TOKEN' : cut(value)}`));
  }
  if (body !== undefined) words.push('--data-binary', quote(cut(toPrintable(body))));
  return words.join(' ');
}

function quote(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll(/[^ -~]/g, toEscape);
  return /[\\']/.test(escaped) || escaped !== text ? `$'${escaped}'` : `'${text}'`;
}

function toEscape(character: string): string {
  return `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
}

function toPrintable(body: Buffer): string {
  return body.toString('latin1');
}

function cut(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length} characters)`;
}
