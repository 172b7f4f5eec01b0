// An encrypted PDF: the standard security handler, revision 2 (ISO 32000-1, section 7.6.3).
import { createHash } from 'node:crypto';
import { joinObjects, streamOf } from './pdf-files.ts';

const PADDING = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');
const ID = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const KEY_BYTES = 5;
const PERMISSIONS = Buffer.from([0xfc, 0xff, 0xff, 0xff]);

/** A PDF with one line of text, which opens with the password. */
export function lockPdf(line: string, password: string): Uint8Array<ArrayBuffer> {
  const user = pad(password);
  const owner = rc4(md5(user).subarray(0, KEY_BYTES), user);
  const key = md5(Buffer.concat([user, owner, PERMISSIONS, ID])).subarray(0, KEY_BYTES);
  const content = rc4(
    md5(Buffer.concat([key, Buffer.from([4, 0, 0, 0, 0])])).subarray(0, KEY_BYTES + 5),
    Buffer.from(`BT /Latin 24 Tf 72 720 Td (${line}) Tj ET`, 'latin1'),
  );
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 595 842] /Resources << /Font << ' +
      '/Latin << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    streamOf(content.toString('latin1')),
  ];
  const id = `<${ID.toString('hex')}>`;
  const rules = `/O <${owner.toString('hex')}> /U <${rc4(key, PADDING).toString('hex')}>`;
  const trailer = `/ID [${id} ${id}] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 ${rules} >>`;
  return new Uint8Array(Buffer.from(joinObjects(objects, trailer), 'latin1'));
}

function pad(password: string): Buffer {
  return Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, PADDING.length);
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest();
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => {
    [state[one], state[other]] = [state[other] ?? 0, state[one] ?? 0];
  };
  for (let index = 0, other = 0; index < 256; index += 1) {
    other = (other + (state[index] ?? 0) + (key[index % key.length] ?? 0)) % 256;
    swap(index, other);
  }
  let [first, second] = [0, 0];
  return Buffer.from(
    bytes.map((byte) => {
      first = (first + 1) % 256;
      second = (second + (state[first] ?? 0)) % 256;
      swap(first, second);
      return byte ^ (state[((state[first] ?? 0) + (state[second] ?? 0)) % 256] ?? 0);
    }),
  );
}
