// Prints the test vectors of docs/encrypted-transfer.md. It computes them with Node's own cryptography and
// shares no code with the web client, except for the list of words.
//
//   node tools/node.mjs tools/encrypted-transfer/vectors.ts
import { createCipheriv, createHash, createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { wordAt } from '../../client/src/transfer/encryption/words.ts';

const RECORD_BYTES = 65_536;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

interface VectorName {
  readonly name: string;
  readonly relativePath: string | null;
  readonly contentType: string | null;
}

/** The names by index in the transfer. The transfer may have other files in between. */
const NAMES: readonly (readonly [number, VectorName & { readonly size: number }])[] = [
  [0, { name: 'empty.txt', relativePath: null, contentType: 'text/plain', size: 0 }],
  [1, { name: 'Grüße 你好.txt', relativePath: 'Reise/Grüße 你好.txt', contentType: null, size: 14 }],
  [2, { name: 'one record', relativePath: null, contentType: null, size: 65_536 }],
  [3, { name: 'one more byte', relativePath: null, contentType: null, size: 65_537 }],
  [4, { name: 'picture.png', relativePath: null, contentType: 'image/png', size: 150_000 }],
  [10, { name: 'two records', relativePath: null, contentType: null, size: 131_072 }],
];

const TYPED_SECRETS = {
  '04HM-ASW9-NF6Y-YZW0': '04HMASW9NF6YYZW0',
  ' o4hm asw9\tnf6y-yzwO\n': '04HMASW9NF6YYZW0',
  'iIlL-0000-oOoO-0000': '1111000000000000',
};
const REFUSED_SECRETS = [
  ...['', '04HMASW9NF6YYZW', '04HMASW9NF6YYZW00', '04HMASW9NF6YYZWU'],
  ...['04HMAſW9NF6YYZW0', 'ı111000000000000'],
];

/** All vectors. Every call returns the same, because all inputs are fixed. */
export function makeVectors() {
  const secretBytes = Buffer.from('0123456789abcdef7f80', 'hex');
  const secret = toBase32(secretBytes);
  const salt = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
  const master = pbkdf2Sync(secret, salt, 600_000, 32, 'sha256');
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', master, salt, info, 32));
  const files = NAMES.map(([index, hidden]) => {
    const fileKey = derive(`holdall file ${index}`);
    const sealed = seal(fileKey, Buffer.from(Array.from({ length: hidden.size }, (_, at) => at % 251)));
    const nameKey = derive(`holdall name ${index}`);
    const nameNonce = Buffer.alloc(12, 0xa0 + index);
    const json = JSON.stringify(hidden);
    return {
      index,
      fileKey: fileKey.toString('hex'),
      size: hidden.size,
      sealedSize: sealed.length,
      ...(sealed.length < 100 ? { sealed: sealed.toString('hex') } : {}),
      sealedSha256: createHash('sha256').update(sealed).digest('hex'),
      nameKey: nameKey.toString('hex'),
      nameNonce: nameNonce.toString('hex'),
      json,
      encryptedName: Buffer.concat([nameNonce, sealOnce(nameKey, nameNonce, Buffer.from(json))]).toString(
        'base64url',
      ),
    };
  });
  return {
    secretBytes: secretBytes.toString('hex'),
    secret,
    typedSecrets: TYPED_SECRETS,
    refusedSecrets: REFUSED_SECRETS,
    salt: salt.toString('base64url'),
    masterKey: master.toString('hex'),
    files,
    refused: makeRefused(derive('holdall file 1'), derive('holdall name 1')),
    peer: makePeerVectors(derive('holdall peer')),
  };
}

/** Names and contents for file 1, which has 14 bytes, that a reader must reject. */
function makeRefused(fileKey: Buffer, nameKey: Buffer) {
  const nonce = Buffer.alloc(12, 0xb1);
  const hide = (json: string) => Buffer.concat([nonce, sealOnce(nameKey, nonce, Buffer.from(json))]);
  const good = hide('{"name":"a","size":14}');
  const content = Buffer.from(Array.from({ length: 14 }, (_, at) => at));
  const sealed = seal(fileKey, content);
  const toText = (bytes: Buffer) => bytes.toString('base64url');
  return {
    names: {
      'a changed tag': toText(changeLast(good)),
      'a missing byte': toText(good.subarray(0, -1)),
      padding: `${toText(good)}=`,
      'bits left over': toText(good).replace(/.$/, nextSymbol),
      'no name': toText(hide('{"size":14}')),
      'a path that is no text': toText(hide('{"name":"a","relativePath":1,"size":14}')),
      'a size that is no integer': toText(hide('{"name":"a","size":14.5}')),
      'a byte order mark': toText(hide('\ufeff{"name":"a","size":14}')),
    },
    contents: {
      'a changed tag': changeLast(sealed).toString('hex'),
      'a missing byte': sealed.subarray(0, -1).toString('hex'),
      'a byte more': Buffer.concat([sealed, Buffer.alloc(1)]).toString('hex'),
      'a last record that is not marked': sealOnce(fileKey, Buffer.alloc(12), content).toString('hex'),
    },
  };
}

function changeLast(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
  return changed;
}

/** The base64url symbol with the lowest bit set as well. */
function nextSymbol(symbol: string): string {
  const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return symbols.charAt(symbols.indexOf(symbol) | 1);
}

function makePeerVectors(key: Buffer) {
  const senderFingerprint = toFingerprint(0x11);
  const receiverFingerprint = toFingerprint(0x22);
  const prove = (role: string, own: string, other: string) =>
    createHmac('sha256', key).update(`${role}\n${own}\n${other}`).digest('base64url');
  const senderValue = Buffer.alloc(32, 0x33);
  const receiverValue = Buffer.alloc(32, 0x44);
  const hash = createHash('sha256')
    .update('holdall words')
    .update(senderValue)
    .update(receiverValue)
    .update(`${senderFingerprint}\n${receiverFingerprint}`)
    .digest();
  const bits = BigInt(`0x${hash.toString('hex')}`) >> BigInt(256 - 44);
  const wordIndexes = [33, 22, 11, 0].map((shift) => Number((bits >> BigInt(shift)) & 2_047n));
  return {
    peerKey: key.toString('hex'),
    senderFingerprint,
    receiverFingerprint,
    senderProof: prove('sender', senderFingerprint, receiverFingerprint),
    receiverProof: prove('receiver', receiverFingerprint, senderFingerprint),
    senderValue: senderValue.toString('base64url'),
    receiverValue: receiverValue.toString('base64url'),
    commitment: createHash('sha256').update(senderValue).digest('base64url'),
    wordListSha256: hashWords(),
    wordIndexes,
    words: wordIndexes.map(wordAt),
  };
}

/** Hashes all words in order, each followed by a line feed. */
function hashWords(): string {
  const words = Array.from({ length: 2_048 }, (_, index) => `${wordAt(index)}\n`);
  return createHash('sha256').update(words.join('')).digest('hex');
}

function seal(key: Buffer, content: Buffer): Buffer {
  const count = Math.max(1, Math.ceil(content.length / RECORD_BYTES));
  const records = Array.from({ length: count }, (_, record) => {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(record, 7);
    nonce.writeUInt8(record === count - 1 ? 1 : 0, 11);
    return sealOnce(key, nonce, content.subarray(record * RECORD_BYTES, (record + 1) * RECORD_BYTES));
  });
  return Buffer.concat(records);
}

function sealOnce(key: Buffer, nonce: Buffer, content: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function toBase32(bytes: Buffer): string {
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let left = (bytes.length * 8) / 5; left > 0; left -= 1) {
    text = ALPHABET.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}

function toFingerprint(first: number): string {
  const bytes = Array.from({ length: 32 }, (_, at) => first + at);
  return `sha-256 ${bytes.map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':')}`;
}

if (realpathSync(process.argv[1] ?? '.') === import.meta.filename)
  process.stdout.write(`${JSON.stringify(makeVectors(), undefined, 2)}\n`);
