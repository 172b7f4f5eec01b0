import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { MAX_TEXT_BYTES } from '../texts/texts.ts';

// On threads of Node's pool.
const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

export async function compressText(text: string): Promise<Uint8Array> {
  return await deflate(Buffer.from(text));
}

/** @throws Error if the bytes are damaged */
export async function expandText(compressed: Uint8Array): Promise<string> {
  const text = await inflate(compressed, { maxOutputLength: MAX_TEXT_BYTES });
  return text.toString();
}
