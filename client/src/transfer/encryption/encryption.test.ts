// tier: default
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { fromBase64url, toBase64url } from './base64url.ts';
import { TransferKeys } from './keys.ts';
import { openName, sealName } from './names.ts';
import { checkProof, makeProof, readFingerprint, toWords } from './peer-proof.ts';
import {
  CannotOpen,
  openRecords,
  RECORD_BYTES,
  recordCountOf,
  sealedSizeOf,
  sealRecords,
} from './records.ts';
import { findSecret, groupSecret, newSecret, readTypedSecret, toSecret } from './secret.ts';
import { wordAt } from './words.ts';

interface Vectors {
  readonly secretBytes: string;
  readonly secret: string;
  readonly salt: string;
  readonly typedSecrets: Record<string, string>;
  readonly refusedSecrets: readonly string[];
  readonly refused: Record<'names' | 'contents', Record<string, string>>;
  readonly files: readonly {
    readonly index: number;
    readonly size: number;
    readonly sealedSize: number;
    readonly sealed?: string;
    readonly sealedSha256: string;
    readonly nameNonce: string;
    readonly json: string;
    readonly encryptedName: string;
  }[];
  readonly peer: Record<
    | 'senderFingerprint'
    | 'receiverFingerprint'
    | 'senderProof'
    | 'receiverProof'
    | 'senderValue'
    | 'receiverValue',
    string
  > & { readonly words: readonly string[] };
}

const page = new URL('../../../../docs/encrypted-transfer.md', import.meta.url);
const [, json = ''] = /```json\n([^`]+)```/.exec(await readFile(page, 'utf8')) ?? [];
const vectors: Vectors = JSON.parse(json);
const keys = await TransferKeys.derive(vectors.secret, bytesOf(vectors.salt));
const WHOLE = { first: 0, isEnd: true };

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64url(text);
  assert.ok(bytes);
  return bytes;
}

function contentOf(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, at) => at % 251);
}

describe('the vectors of the document', () => {
  test('contain the secret for these bytes', () => {
    assert.equal(toSecret(Buffer.from(vectors.secretBytes, 'hex')), vectors.secret);
  });

  for (const file of vectors.files) {
    test(`match the key, name and content of file ${file.index}`, async () => {
      const key = await keys.ofFile(file.index);
      const sealed = await sealRecords(key, contentOf(file.size), WHOLE);
      assert.equal(sealed.length, file.sealedSize);
      assert.equal(sealedSizeOf(file.size), file.sealedSize);
      assert.equal(createHash('sha256').update(sealed).digest('hex'), file.sealedSha256);
      if (file.sealed !== undefined) assert.equal(Buffer.from(sealed).toString('hex'), file.sealed);
      assert.deepEqual(await openRecords(key, sealed, WHOLE), contentOf(file.size));

      const nameKey = await keys.ofName(file.index);
      const nonce = new Uint8Array(Buffer.from(file.nameNonce, 'hex'));
      assert.equal(await sealName(nameKey, JSON.parse(file.json), nonce), file.encryptedName);
      assert.deepEqual(await openName(nameKey, file.encryptedName, file.sealedSize), JSON.parse(file.json));
    });
  }

  test('contain typed secrets that are read, and some that are rejected', () => {
    for (const [typed, secret] of Object.entries(vectors.typedSecrets)) {
      assert.equal(findSecret(typed), secret);
    }
    for (const wrong of vectors.refusedSecrets) assert.equal(findSecret(wrong), undefined, wrong);
  });

  test('contain names and contents that do not open', async () => {
    const [nameKey, fileKey] = [await keys.ofName(1), await keys.ofFile(1)];
    for (const [why, name] of Object.entries(vectors.refused.names)) {
      await assert.rejects(openName(nameKey, name, 30), CannotOpen, why);
    }
    for (const [why, sealed] of Object.entries(vectors.refused.contents)) {
      const bytes = new Uint8Array(Buffer.from(sealed, 'hex'));
      await assert.rejects(openRecords(fileKey, bytes, WHOLE), CannotOpen, why);
    }
  });

  test('match the proofs and words of two pages', async () => {
    const { peer } = vectors;
    const key = await keys.ofPeer();
    const sender = { own: peer.senderFingerprint, other: peer.receiverFingerprint };
    const receiver = { own: peer.receiverFingerprint, other: peer.senderFingerprint };
    assert.equal(toBase64url(await makeProof(key, 'sender', sender)), peer.senderProof);
    assert.equal(toBase64url(await makeProof(key, 'receiver', receiver)), peer.receiverProof);
    assert.equal(await checkProof(key, 'receiver', sender, bytesOf(peer.receiverProof)), true);
    assert.equal(await checkProof(key, 'sender', sender, bytesOf(peer.senderProof)), false, 'its own');
    const words = await toWords({
      senderValue: bytesOf(peer.senderValue),
      receiverValue: bytesOf(peer.receiverValue),
      senderFingerprint: peer.senderFingerprint,
      receiverFingerprint: peer.receiverFingerprint,
    });
    assert.deepEqual(words, peer.words);
  });
});

test('base64url has no padding, no other characters, and no leftover bits', () => {
  assert.deepEqual(bytesOf('AQ'), new Uint8Array([1]));
  for (const text of ['AQ==', 'AR', 'A', 'AQ ', 'A+', 'A/', 'AQ\n']) {
    assert.equal(fromBase64url(text), undefined, text);
  }
});

describe('a secret', () => {
  test('has 80 random bits in 16 characters', () => {
    const secrets = Array.from({ length: 200 }, newSecret);
    for (const secret of secrets) assert.match(secret, /^[0-9A-HJKMNP-TV-Z]{16}$/);
    assert.equal(new Set(secrets).size, 200);
    for (let at = 0; at < 16; at += 1) {
      assert.ok(new Set(secrets.map((secret) => secret[at])).size > 20, `character ${at} is random`);
    }
  });

  test('is read in any case, in groups, with letters that look like digits', () => {
    const secret = '0123ABCDEFGH1100';
    assert.equal(groupSecret(secret), '0123-ABCD-EFGH-1100');
    for (const typed of [secret, 'o123 abcd efgh iLO0', ' 0123–ABCD—EFGH-ll00 ']) {
      assert.equal(findSecret(typed), secret);
    }
  });

  test('is not read from too few, too many or other characters', () => {
    for (const typed of [
      '',
      '0123ABCDEFGH110',
      '0123ABCDEFGH11000',
      '0123ABCDEFGH110U',
      '0123ABCDEFGH11ſS',
      '0123ABCDEFGH110ı',
      '0123ABCDEFGH110ß',
    ]) {
      assert.equal(findSecret(typed), undefined);
    }
    assert.deepEqual(readTypedSecret('u0€u'), { secret: '0', strange: ['U', '€'] });
  });
});

describe('records', () => {
  const content = contentOf(3 * RECORD_BYTES + 100);
  const size = RECORD_BYTES + 16;

  test('can be sealed and opened in runs, as when a transfer resumes', async () => {
    const key = await keys.ofFile(7);
    const whole = await sealRecords(key, content, WHOLE);
    const parts = [
      await sealRecords(key, content.slice(0, 2 * RECORD_BYTES), { first: 0, isEnd: false }),
      await sealRecords(key, content.slice(2 * RECORD_BYTES), { first: 2, isEnd: true }),
    ];
    assert.deepEqual(Buffer.concat(parts), Buffer.from(whole));
    const last = await openRecords(key, whole.slice(2 * size), { first: 2, isEnd: true });
    assert.deepEqual(last, content.slice(2 * RECORD_BYTES));
  });

  test('do not open if the file was changed in any way', async () => {
    const key = await keys.ofFile(7);
    const whole = await sealRecords(key, content, WHOLE);
    const flipped = whole.slice();
    flipped[size + 5] = (flipped[size + 5] ?? 0) ^ 1;
    const swapped = Buffer.concat([whole.slice(size, 2 * size), whole.slice(0, size), whole.slice(2 * size)]);
    const changed: Record<string, Uint8Array<ArrayBuffer>> = {
      'a changed byte': flipped,
      'two records in another order': new Uint8Array(swapped),
      'the end missing at a record': whole.slice(0, 3 * size),
      'the end missing within a record': whole.slice(0, 3 * size + 50),
      'a record twice': new Uint8Array(Buffer.concat([whole.slice(0, size), whole])),
      'a part of a tag': whole.slice(0, 10),
      nothing: new Uint8Array(0),
    };
    for (const [what, sealed] of Object.entries(changed)) {
      await assert.rejects(openRecords(key, sealed, WHOLE), CannotOpen, what);
    }
    const run = { first: 0, isEnd: false };
    await assert.rejects(openRecords(key, whole.slice(2 * size, 3 * size), run), CannotOpen, 'another place');
    await assert.rejects(openRecords(await keys.ofFile(8), whole, WHOLE), CannotOpen, 'another file');
  });

  test('are sealed only as a whole, so that no nonce is used twice', async () => {
    const key = await keys.ofFile(7);
    for (const bytes of [0, 1, RECORD_BYTES + 1]) {
      await assert.rejects(sealRecords(key, contentOf(bytes), { first: 0, isEnd: false }), RangeError);
    }
    await assert.rejects(sealRecords(key, contentOf(1), { first: 2 ** 32, isEnd: true }), RangeError);
  });

  test('number at least one per file', () => {
    assert.deepEqual([0, 1, RECORD_BYTES, RECORD_BYTES + 1].map(recordCountOf), [1, 1, 1, 2]);
  });
});

describe('a name', () => {
  const hidden = { name: 'a.txt', relativePath: 'trip/a.txt', contentType: null, size: 100 };

  test('has a new nonce each time', async () => {
    const key = await keys.ofName(0);
    const [one, other] = [await sealName(key, hidden), await sealName(key, hidden)];
    assert.notEqual(one, other);
    assert.deepEqual(await openName(key, one, 116), hidden);
  });

  test('does not open with another secret, index or size, or if its text was changed', async () => {
    const key = await keys.ofName(0);
    const text = await sealName(key, hidden);
    const others = await TransferKeys.derive('0000000000000000', bytesOf(vectors.salt));
    await assert.rejects(openName(await others.ofName(0), text, 116), CannotOpen);
    await assert.rejects(openName(await keys.ofName(1), text, 116), CannotOpen);
    await assert.rejects(openName(key, text, 117), CannotOpen);
    await assert.rejects(openName(key, `${text}=`, 116), CannotOpen);
    await assert.rejects(openName(key, '', 116), CannotOpen);
  });

  test('must describe a file', async () => {
    const key = await keys.ofName(0);
    const seal = async (text: string) => {
      const iv = new Uint8Array(12);
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv },
        key,
        new Uint8Array(Buffer.from(text)),
      );
      return toBase64url(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
    };
    const least = await seal('{"size":100,"name":"a","other":1}');
    assert.deepEqual(await openName(key, least, 116), {
      ...{ name: 'a', relativePath: null, contentType: null, size: 100 },
    });
    for (const wrong of [
      ...['', 'null', '[]', '"a"', '{"size":100}', '{"name":"a"}', '\ufeff{"name":"a","size":100}'],
      ...['-1', '1.5', '"100"', 'null'].map((size) => `{"name":"a","size":${size}}`),
      ...['"name":1', '"name":"a","relativePath":1', '"name":"a","contentType":[]'].map(
        (members) => `{${members},"size":100}`,
      ),
    ]) {
      await assert.rejects(openName(key, await seal(wrong), 116), CannotOpen, wrong);
    }
    const tooLarge = 2 ** 48 + 1;
    const text = await seal(`{"name":"a","size":${tooLarge}}`);
    await assert.rejects(openName(key, text, sealedSizeOf(tooLarge)), CannotOpen);
  });
});

describe('a fingerprint', () => {
  const line = (value: string) => `v=0\r\na=fingerprint:${value}\r\nm=application\r\n`;

  test('is read from a description in a normalised form', () => {
    assert.equal(readFingerprint(line('SHA-256 ab:cd')), 'sha-256 AB:CD');
    assert.equal(readFingerprint(line('sha-256 AB:CD') + line('sha-256 ab:cd')), 'sha-256 AB:CD');
  });

  test('is not read if there is none, or more than one', () => {
    assert.equal(readFingerprint('v=0\r\n'), undefined);
    assert.equal(readFingerprint(line('sha-256 AB:CD') + line('sha-256 AB:CE')), undefined);
  });
});

test('there are 2,048 words, and the first four letters of each are unique', () => {
  const words = Array.from({ length: 2_048 }, (_, index) => wordAt(index));
  for (const word of words) assert.match(word, /^[a-z]{3,8}$/);
  assert.equal(new Set(words.map((word) => word.slice(0, 4))).size, 2_048);
  assert.throws(() => wordAt(2_048), RangeError);
});
