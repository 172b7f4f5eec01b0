import { decodePlainText } from '../encoding.ts';
import { MAX_PLAIN_BYTES } from '../formats.ts';
import type { TextCollector } from '../text-collector.ts';

export async function extractPlainText(bytes: Buffer, out: TextCollector): Promise<void> {
  out.add(await decodePlainText(bytes, { isCut: bytes.length === MAX_PLAIN_BYTES }));
}
