// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TransferRecord } from '../../generated/records.ts';
import { CannotOpen, openRecords, sealRecords } from '../encryption/records.ts';
import { lacksEncryption, onlyFile, openWith } from './opened-transfer.ts';
import { type SealedTransfer, sealTransfer } from './sealed-transfer.ts';

const FILES = [
  { name: 'a.txt', relativePath: null, contentType: 'text/plain', size: 0 },
  { name: 'b.txt', relativePath: 'trip/b.txt', contentType: null, size: 65_537 },
];

/** The session as the service shows it. */
function toSession({ announcement }: SealedTransfer, change: Partial<TransferRecord> = {}): TransferRecord {
  const files = announcement.files.map(({ name, size, encryptedName }, index) => ({
    ...{ id: `id-${index}`, name, encryptedName, size },
    ...{ relativePath: null, contentType: null, uploaded: true },
  }));
  return {
    ...{ sessionId: 'session', pickupCode: 'ABC234', mode: 'OFFLINE', status: 'READY' },
    ...{ createdAt: '2030-01-01T00:00:00Z', expiresAt: '2030-01-08T00:00:00Z' },
    ...{ encrypted: announcement.encrypted, salt: announcement.salt, files },
    ...change,
  };
}

describe('an encrypted transfer', () => {
  test('is announced without names, and opened with its secret', async () => {
    const sealed = await sealTransfer(FILES);
    const { announcement } = sealed;
    assert.deepEqual(
      announcement.files.map(({ name, size }) => [name, size]),
      [
        ['file-0', 16],
        ['file-1', 65_569],
      ],
    );
    assert.doesNotMatch(JSON.stringify(announcement), /txt|trip|text/);
    const { session } = await openWith(toSession(sealed), sealed.secret);
    assert.deepEqual(
      session.files.map(({ name, relativePath, contentType, size }) => ({
        ...{ name, relativePath, contentType, size },
      })),
      FILES,
    );
  });

  test('has its own secret and salt', async () => {
    const [one, other] = [await sealTransfer(FILES), await sealTransfer(FILES)];
    assert.notEqual(one.secret, other.secret);
    assert.notEqual(one.announcement.salt, other.announcement.salt);
  });

  test('keeps the key of a file when only that file is received', async () => {
    const sealed = await sealTransfer(FILES);
    const { session, encryption } = onlyFile(await openWith(toSession(sealed), sealed.secret), 1);
    assert.deepEqual(
      session.files.map(({ name }) => name),
      ['b.txt'],
    );
    const run = { first: 0, isEnd: true };
    const bytes = await sealRecords(await sealed.keys.ofFile(1), new Uint8Array([1, 2, 3]), run);
    const key = await encryption?.keyOf(session.files[0]?.id ?? '');
    assert.ok(key);
    assert.deepEqual(await openRecords(key, bytes, run), new Uint8Array([1, 2, 3]));
  });

  test('does not open with another secret, with none, or after its files were swapped', async () => {
    const sealed = await sealTransfer(FILES);
    const session = toSession(sealed);
    await assert.rejects(openWith(session, '0000000000000000'), CannotOpen);
    await assert.rejects(openWith(session, undefined), CannotOpen);
    const swapped = { ...session, files: session.files.toReversed() };
    await assert.rejects(openWith(swapped, sealed.secret), CannotOpen);
  });

  test('does not open with a secret if its encryption was removed', async () => {
    const sealed = await sealTransfer(FILES);
    const plain = toSession(sealed, { encrypted: false, salt: null });
    await assert.rejects(openWith(plain, sealed.secret), CannotOpen);
    assert.equal((await openWith(plain, undefined)).encryption, undefined);
  });

  test('is recognized if its encryption was removed, however the secret was typed', async () => {
    const sealed = await sealTransfer(FILES);
    const plain = toSession(sealed, { encrypted: false, salt: null });
    for (const behind of [sealed.secret, sealed.secret.slice(1), `${sealed.secret}0`, '?', 'x'])
      assert.equal(lacksEncryption(plain, behind), true, behind);
    for (const behind of ['', ' ', '-', ' – ']) assert.equal(lacksEncryption(plain, behind), false, behind);
    assert.equal(lacksEncryption(toSession(sealed), sealed.secret), false);
  });

  test('does not open without a salt of 16 bytes', async () => {
    const sealed = await sealTransfer(FILES);
    for (const salt of [null, '', 'AAAA', `${sealed.announcement.salt}AA`]) {
      await assert.rejects(openWith(toSession(sealed, { salt }), sealed.secret), CannotOpen);
    }
  });

  test('drops the outermost folders of a path that is too long for the service', async () => {
    const folders = Array.from({ length: 20 }, (_, level) => `${level}-${'文'.repeat(100)}`);
    const relativePath = [...folders, 'b.txt'].join('/');
    const sealed = await sealTransfer([
      { ...FILES[0], name: 'b.txt', relativePath, contentType: null, size: 0 },
    ]);
    const [announced] = sealed.announcement.files;
    assert.ok((announced?.encryptedName?.length ?? 0) <= 4_096);
    const { session } = await openWith(toSession(sealed), sealed.secret);
    const kept = session.files[0]?.relativePath ?? '';
    assert.ok(relativePath.endsWith(`/${kept}`) && kept.split('/').length > 5, kept);
  });
});
