// tier: default
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inFull } from '../testing/tiers.ts';
import { decodeContent, deriveKey, openName, toCanonical, toTransferKey } from './decode-transfer.ts';

interface FileVector {
  readonly index: number;
  readonly fileKey: string;
  readonly size: number;
  readonly sealedSize: number;
  readonly sealed?: string;
  readonly sealedSha256: string;
  readonly nameKey: string;
  readonly nameNonce: string;
  readonly json: string;
  readonly encryptedName: string;
}

const root = path.join(import.meta.dirname, '..', '..');
const page = readFileSync(path.join(root, 'docs/encrypted-transfer.md'), 'utf8');
const vectors = JSON.parse(/^```json\n(.*?)^```$/ms.exec(page)?.[1] ?? '');
const files: readonly FileVector[] = vectors.files;
const directory = mkdtempSync(path.join(tmpdir(), 'holdall-decode-'));
after(() => rmSync(directory, { recursive: true }));

const transferKey = toTransferKey(vectors.secret, vectors.salt);
const RECORD = 65_552;

test('secret and keys equal those of the vectors', () => {
  let bits = 0n;
  for (const letter of vectors.secret) {
    bits = bits * 32n + BigInt('0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(letter));
  }
  assert.equal(bits.toString(16).padStart(20, '0'), vectors.secretBytes);
  assert.equal(transferKey.master.toString('hex'), vectors.masterKey);
  assert.equal(deriveKey(transferKey, 'holdall peer').toString('hex'), vectors.peer.peerKey);
  for (const { index, fileKey, nameKey } of files) {
    assert.equal(deriveKey(transferKey, `holdall file ${index}`).toString('hex'), fileKey);
    assert.equal(deriveKey(transferKey, `holdall name ${index}`).toString('hex'), nameKey);
  }
});

test('a secret can be written in several ways', () => {
  for (const written of ['04HM-ASW9-NF6Y-YZW0', ' 04hm asw9\tnf6yyzw0\n', 'O4HMASW9NF6YYZWo']) {
    assert.equal(toCanonical(written), vectors.secret);
  }
  assert.equal(toCanonical('iIlL000000000000'), '1111000000000000');
  for (const wrong of ['', '04HMASW9NF6YYZW', '04HMASW9NF6YYZW00', '04HMASW9NF6YYZWU', '04HMAſW9NF6YYZW0']) {
    assert.throws(() => toCanonical(wrong), /^Error: A secret has 16/);
  }
  for (const wrong of ['', `${vectors.salt}==`, `${vectors.salt.slice(0, -1)}x`, vectors.salt.slice(0, 20)]) {
    assert.throws(() => toTransferKey(vectors.secret, wrong), /^Error: A salt has 16/);
  }
});

test('the typed secrets of the vectors are read or rejected as they say', () => {
  for (const [written, secret] of Object.entries(vectors.typedSecrets)) {
    assert.equal(toCanonical(written), secret);
  }
  assert.ok(vectors.refusedSecrets.length > 0);
  for (const wrong of vectors.refusedSecrets)
    assert.throws(() => toCanonical(wrong), /^Error: A secret has 16/);
});

test('the invalid names and contents of the vectors are rejected', async () => {
  const { names, contents } = vectors.refused as Record<string, Record<string, string>>;
  for (const [why, name] of Object.entries(names ?? {})) {
    assert.throws(() => openName(transferKey, 1, name), /^Error: The (?:encrypted )?name /, why);
  }
  const [, vector] = files as [FileVector, FileVector];
  for (const [why, sealed] of Object.entries(contents ?? {})) {
    const { fault } = await decode(vector, Buffer.from(sealed, 'hex'));
    assert.match(fault?.message ?? 'no fault', /^Record 0 |shorter|longer/, why);
  }
});

test('the proofs and word numbers equal those of the vectors', () => {
  const { peer } = vectors;
  const key = deriveKey(transferKey, 'holdall peer');
  const prove = (...texts: string[]) =>
    createHmac('sha256', key).update(texts.join('\n')).digest('base64url');
  assert.equal(prove('sender', peer.senderFingerprint, peer.receiverFingerprint), peer.senderProof);
  assert.equal(prove('receiver', peer.receiverFingerprint, peer.senderFingerprint), peer.receiverProof);

  const [senderValue, receiverValue] = [peer.senderValue, peer.receiverValue].map((value) =>
    Buffer.from(value, 'base64url'),
  ) as [Buffer, Buffer];
  assert.equal(createHash('sha256').update(senderValue).digest('base64url'), peer.commitment);
  const hash = createHash('sha256').update('holdall words').update(senderValue).update(receiverValue);
  const digest = hash.update(`${peer.senderFingerprint}\n${peer.receiverFingerprint}`).digest('hex');
  const bits = BigInt(`0x${digest}`) >> (256n - 44n);
  const numbers = [33n, 22n, 11n, 0n].map((shift) => Number((bits >> shift) & 2047n));
  assert.deepEqual(numbers, peer.wordIndexes);
});

for (const vector of files) {
  test(`file ${vector.index} of the vectors, ${vector.size} bytes, is decrypted`, async () => {
    const sealed = seal(vector);
    assert.equal(sealed.length, vector.sealedSize);
    assert.equal(createHash('sha256').update(sealed).digest('hex'), vector.sealedSha256);
    if (vector.sealed !== undefined) assert.equal(sealed.toString('hex'), vector.sealed);
    assert.equal(sealName(vector, vector.json), vector.encryptedName);

    assert.deepEqual(openName(transferKey, vector.index, vector.encryptedName), JSON.parse(vector.json));
    const { content, fault } = await decode(vector, sealed);
    assert.equal(fault, undefined);
    assert.deepEqual(content, contentOf(vector.size));
  });
}

test('a ciphertext that differs from that of the sender is rejected', async () => {
  const [, , one, two, three] = files as [FileVector, FileVector, FileVector, FileVector, FileVector];
  const sealed = seal(three);
  const records = [0, 1, 2].map((number) => sealed.subarray(number * RECORD, (number + 1) * RECORD));
  const [first, second, last] = records as [Buffer, Buffer, Buffer];
  const stranger = { ...three, fileKey: one.fileKey };
  const cases: readonly (readonly [string, FileVector, Buffer, RegExp])[] = [
    ['empty', three, Buffer.alloc(0), /shorter/],
    ['without its last byte', three, sealed.subarray(0, -1), /shorter/],
    ['without its last record', three, Buffer.concat([first, second]), /shorter/],
    ['without its first record', three, Buffer.concat([second, last]), /Record 0 /],
    ['with a byte more', three, Buffer.concat([sealed, Buffer.alloc(1)]), /longer/],
    ['with its last record twice', three, Buffer.concat([sealed, last]), /longer/],
    ['with a record twice', three, Buffer.concat([first, first, last]), /Record 1 /],
    ['in another order', three, Buffer.concat([second, first, last]), /Record 0 /],
    [
      'with a record of another file',
      three,
      Buffer.concat([first, seal(stranger).subarray(RECORD)]),
      /Record 1 /,
    ],
    ['shortened to one record, which the size belies', { ...three, size: 65_536 }, first, /Record 0 /],
    ['shortened to two records', { ...three, size: 131_072 }, Buffer.concat([first, second]), /Record 1 /],
    ['one record as the first of two', { ...two, fileKey: one.fileKey }, seal(one), /Record 0 /],
    ...[0, RECORD - 1, RECORD, 2 * RECORD - 17, sealed.length - 1].map(
      (at) => [`with another byte ${at}`, three, flip(sealed, at), /^Record \d / as RegExp] as const,
    ),
  ];
  for (const [title, vector, bytes, message] of cases) {
    const { fault } = await decode(vector, bytes);
    assert.match(fault?.message ?? 'no fault', message, title);
  }
});

test('contents that end with a full record are decrypted', async () => {
  const [, , , , three] = files as [FileVector, FileVector, FileVector, FileVector, FileVector];
  const vector = { ...three, size: 131_072 };
  const { content, fault } = await decode(vector, seal(vector));
  assert.equal(fault, undefined);
  assert.deepEqual(content, contentOf(131_072));
});

test('a name that differs from that of the sender is rejected', () => {
  const [zero, one] = files as [FileVector, FileVector];
  const bytes = Buffer.from(zero.encryptedName, 'base64url');
  const changed = [0, 12, bytes.length - 17, bytes.length - 1].map((at) =>
    flip(bytes, at).toString('base64url'),
  );
  const shortened = [0, 11, 12, 27, 28, bytes.length - 1].map((end) => bytes.toString('base64url', 0, end));
  for (const name of [...changed, ...shortened, one.encryptedName]) {
    assert.throws(() => openName(transferKey, 0, name), /^Error: The name does not open/);
  }
  const otherKey = toTransferKey(vectors.secret, `B${vectors.salt.slice(1)}`);
  assert.throws(() => openName(otherKey, 0, zero.encryptedName), /^Error: The name does not open/);
  for (const name of [`${zero.encryptedName}=`, ` ${zero.encryptedName}`, 'A'.repeat(4_100)]) {
    assert.throws(() => openName(transferKey, 0, name), /^Error: The encrypted name is not base64url/);
  }
});

test('a decrypted name must describe a file', () => {
  const [zero] = files as [FileVector];
  const openJson = (json: string | Buffer) => openName(transferKey, 0, sealName(zero, json));
  assert.deepEqual(openJson('{"size": 3, "name": "a", "other": 1}'), {
    name: 'a',
    relativePath: null,
    contentType: null,
    size: 3,
  });
  const wrong = [
    '',
    'null',
    '[]',
    '"a"',
    '{"name":"a"}',
    '{"size":1}',
    '{"name":1,"size":1}',
    ...['-1', '1.5', '"1"', 'null', '1e400', '281474976710657'].map((size) => `{"name":"a","size":${size}}`),
    '{"name":"a","size":1,"relativePath":1}',
    '{"name":"a","size":1,"contentType":[]}',
    '\ufeff{"name":"a","size":1}',
    Buffer.from('{"name":"\xff","size":1}', 'latin1'),
  ];
  for (const json of wrong) assert.throws(() => openJson(json), /does not describe a file/, json.toString());
});

test('the program writes a whole file, shows its name, and leaves nothing else behind', inFull, () => {
  const [, , , , three] = files as [FileVector, FileVector, FileVector, FileVector, FileVector];
  const name = sealName(
    three,
    '{"name":"../\\u001b]0;\\u009b\\u202e","relativePath":"/etc/x","size":150000}',
  );
  const folder = mkdtempSync(path.join(directory, 'program-'));
  const [sealedFile, outputFile] = [path.join(folder, 'sealed'), path.join(folder, 'output')];
  const run = (secret: string, input: string) => {
    const words = [secret, vectors.salt, String(three.index), name, sealedFile, outputFile];
    return spawnSync(process.execPath, [path.join(import.meta.dirname, 'decode-transfer.ts'), ...words], {
      input,
      encoding: 'utf8',
    });
  };
  writeFileSync(sealedFile, flip(seal(three), 2 * RECORD));
  const failed = run(vectors.secret, '');
  assert.deepEqual([failed.status, failed.stdout], [1, '']);
  assert.match(failed.stderr, /^Record 2 is not what the sender encrypted there\.\n$/);
  assert.deepEqual(readdirSync(folder), ['sealed']);

  writeFileSync(sealedFile, seal(three));
  const done = run('-', '04HM-ASW9-NF6Y-YZW0\n');
  assert.deepEqual([done.status, done.stderr], [0, '']);
  assert.equal(
    done.stdout,
    '{"name":"../\\u001b]0;\\u009b\\u202e","relativePath":"/etc/x","contentType":null,"size":150000}\n',
  );
  assert.deepEqual(readdirSync(folder), ['output', 'sealed']);
  assert.deepEqual(readFileSync(outputFile), contentOf(150_000));
  assert.equal(statSync(outputFile).mode & 0o777, 0o600);

  const again = run(vectors.secret, '');
  assert.equal(again.status, 1);
  assert.match(again.stderr, /output is already there\.\n$/);
});

function contentOf(size: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, at) => at % 251));
}

/**
 * Computes the ciphertext as documented, because the vectors contain only its hash, except for short files.
 */
function seal({ fileKey, size }: FileVector): Buffer {
  const content = contentOf(size);
  const count = Math.max(1, Math.ceil(size / 65_536));
  const records = Array.from({ length: count }, (_, number) => {
    const nonce = Buffer.from([...Array(7).fill(0), 0, 0, 0, number, number === count - 1 ? 1 : 0]);
    return sealBytes(fileKey, nonce, content.subarray(number * 65_536, (number + 1) * 65_536));
  });
  return Buffer.concat(records);
}

function sealName({ nameKey, nameNonce }: FileVector, json: string | Buffer): string {
  const nonce = Buffer.from(nameNonce, 'hex');
  return Buffer.concat([nonce, sealBytes(nameKey, nonce, Buffer.from(json))]).toString('base64url');
}

function sealBytes(key: string, nonce: Buffer, bytes: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce);
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

async function decode(vector: FileVector, sealed: Buffer): Promise<{ content: Buffer; fault?: Error }> {
  const [sealedFile, contentFile] = [path.join(directory, 'sealed'), path.join(directory, 'content')];
  writeFileSync(sealedFile, sealed);
  const source = await open(sealedFile, 'r');
  const target = await open(contentFile, 'w');
  try {
    await decodeContent(Buffer.from(vector.fileKey, 'hex'), vector.size, source, target);
    return { content: readFileSync(contentFile) };
  } catch (error) {
    return { content: readFileSync(contentFile), fault: error as Error };
  } finally {
    await source.close();
    await target.close();
  }
}
