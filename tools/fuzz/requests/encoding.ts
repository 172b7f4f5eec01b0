// Writes a draft as the bytes of an HTTP/1.1 request. Validates nothing, because wrong bytes are the purpose.
import type { Draft, DraftBody, FormPart } from './draft.ts';

const BOUNDARY = 'fuzz-boundary-7f3a';

export interface EncodedRequest {
  /** The name of the operation. */
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
  readonly bytes: Buffer;
}

export function encodeRequest(draft: Draft, host: string, token: string | undefined): EncodedRequest {
  const target = draft.rawTarget ?? encodeTarget(draft);
  const encoded = draft.body === undefined ? undefined : encodeBody(draft.body);
  const body = encoded && (draft.distort?.(encoded.bytes) ?? encoded.bytes);
  const headers: (readonly [string, string])[] = [['host', host]];
  if (token !== undefined) headers.push(['authorization', `Bearer ${token}`]);
  const named = new Set(draft.headers.map(([name]) => name.toLowerCase()));
  if (encoded?.contentType !== undefined && !named.has('content-type')) {
    headers.push(['content-type', encoded.contentType]);
  }
  headers.push(...draft.headers);
  if (body !== undefined && draft.isChunked) headers.push(['transfer-encoding', 'chunked']);
  else if (body !== undefined) headers.push(['content-length', String(body.byteLength)]);
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const bytes = Buffer.concat([
    Buffer.from(`${draft.method} ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1'),
    ...(body === undefined ? [] : draft.isChunked ? toChunks(body) : [body]),
  ]);
  return { name: draft.operation.name, method: draft.method, target, headers, body, bytes };
}

/** The path and query, percent-encoded like those of a correct client. */
export function encodeTarget({ operation, path, query }: Draft): string {
  const target = operation.url
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeText(path[name] ?? ''))
    .replace('*', () => (path['*'] ?? '').split('/').map(encodeText).join('/'));
  const pairs = query.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`);
  return pairs.length === 0 ? target : `${target}?${pairs.join('&')}`;
}

/** Percent-encodes UTF-8. A lone surrogate becomes the three bytes that some programs write for it. */
export function encodeText(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text);
  return Array.from(text, (character) =>
    character.isWellFormed() ? encodeURIComponent(character) : encodeSurrogate(character.charCodeAt(0)),
  ).join('');
}

function encodeSurrogate(unit: number): string {
  const bytes = [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
  return bytes.map((byte) => `%${byte.toString(16)}`).join('');
}

function encodeBody(body: DraftBody): { readonly contentType: string | undefined; readonly bytes: Buffer } {
  if (body.kind === 'json') {
    return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(body.value) ?? '') };
  }
  if (body.kind === 'fields') {
    const text = body.fields.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&');
    return { contentType: 'application/x-www-form-urlencoded', bytes: Buffer.from(text) };
  }
  if (body.kind === 'bytes') return body;
  return {
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.concat([...body.parts.flatMap(encodePart), Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

function encodePart({ name, fileName, contentType, content }: FormPart): readonly Buffer[] {
  const file = fileName === undefined ? '' : `; filename="${fileName.replaceAll('"', '%22')}"`;
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`;
  return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')];
}

function toChunks(body: Buffer): readonly Buffer[] {
  const half = Math.ceil(body.byteLength / 2);
  const pieces = [body.subarray(0, half), body.subarray(half)].filter(({ byteLength }) => byteLength > 0);
  return [
    ...pieces.flatMap((piece) => [
      Buffer.from(`${piece.byteLength.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ];
}
