// tier: default
// runs on: sqlite
// The service does not decrypt anything, so these bytes are not really encrypted.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { TransferRecord } from '../../src/transfer/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { join, lookUp, ONE_FILE, type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';

const SALT = 'AAECAwQFBgcICQoLDA0ODw';
const NAME = 'n'.repeat(100);
const CONTENT = 'c'.repeat(17);
const FILES = [
  { name: 'file-0', size: 17, encryptedName: NAME },
  { name: 'file-1', size: 16, encryptedName: 'm'.repeat(4_096) },
];
const BODY = { mode: 'OFFLINE', encrypted: true, salt: SALT, files: FILES };

const holdall = await startHoldall();
await withoutDirect(holdall);
const { anonymous } = holdall;
const alice = await holdall.register('alice');
const bob = await holdall.register('bob');
afterEach(() => checkBooks(holdall));

/** What every view of the session must show. */
function checkShown({ encrypted, salt, files }: TransferRecord): void {
  const shown = files.map(({ name, size, encryptedName, relativePath, contentType }) => ({
    ...{ name, size, encryptedName, relativePath, contentType },
  }));
  assert.deepEqual(
    { encrypted, salt, files: shown },
    {
      encrypted: true,
      salt: SALT,
      files: FILES.map((file) => ({ ...file, relativePath: null, contentType: null })),
    },
  );
}

async function openReady(): Promise<PeerSession> {
  const made = await alice.ask<PeerSession>('POST', TRANSFERS, { body: BODY });
  for (const [index, text] of [CONTENT, 'e'.repeat(16)].entries()) {
    const url = `${TRANSFERS}/${made.sessionId}/files/${made.files[index]?.id}/content`;
    const headers = { 'content-type': 'application/octet-stream' };
    checkShown(await alice.ask<TransferRecord>('POST', url, { body: text, headers }));
  }
  return made;
}

describe('an encrypted session', () => {
  test('shows salt and encrypted names wherever it is shown, in both modes', async () => {
    const offline = await openReady();
    checkShown(offline);
    checkShown((await lookUp(anonymous, offline.pickupCode)).data);
    checkShown(await join(anonymous, offline));
    const mine = await alice.ask<TransferRecord[]>('GET', `${TRANSFERS}/offline/mine`);
    assert.equal(mine.length, 1);
    mine.forEach(checkShown);

    const online = await anonymous.ask<PeerSession>('POST', TRANSFERS, { body: { ...BODY, mode: 'ONLINE' } });
    checkShown(online);
    checkShown((await lookUp(anonymous, online.pickupCode)).data);
    checkShown(await join(anonymous, online));
  });

  test('sends the bytes to anyone with the code, also in ranges', async () => {
    const { sessionId, files } = await openReady();
    const url = `${TRANSFERS}/${sessionId}/files/${files[0]?.id}/download`;
    const whole = await anonymous.fetch('GET', url);
    assert.equal(await whole.text(), CONTENT);
    assert.match(whole.headers.get('content-disposition') ?? '', /filename="file-0"/);
    const part = await anonymous.fetch('GET', url, { headers: { range: 'bytes=15-' } });
    assert.deepEqual([part.status, await part.text()], [206, 'cc']);
  });

  test('has files that the service does not import into a drive', async () => {
    const { sessionId, files } = await openReady();
    const before = await bob.state();
    const url = `${TRANSFERS}/${sessionId}/files/${files[0]?.id}/import`;
    const answer = await bob.call('POST', url, { body: { path: '/' } });
    assert.deepEqual([answer.status, answer.code], [400, 1003]);
    assert.match(answer.msg, /This file is encrypted\. Only the page of the receiver can decrypt it/);
    assert.deepEqual(await bob.state(), before);
  });

  const file = FILES[0];
  const refused: Readonly<Record<string, object>> = {
    'no salt': { salt: undefined },
    'a salt that is null': { salt: null },
    'a salt of 15 bytes': { salt: SALT.slice(0, 20) },
    'a salt of 17 bytes': { salt: `${SALT}A` },
    'a salt that is not base64url': { salt: SALT.replace('A', '+') },
    'a second spelling of a salt': { salt: SALT.replace(/w$/, 'x') },
    'a file without an encrypted name': { files: [{ name: 'file-0', size: 17 }] },
    'an encrypted name of 4,097 characters': { files: [{ ...file, encryptedName: 'n'.repeat(4_097) }] },
    'an encrypted name that is not base64url': { files: [{ ...file, encryptedName: `${NAME}=` }] },
    'an encrypted name without content': { files: [{ ...file, encryptedName: 'n'.repeat(38) }] },
    'a readable name': { files: [{ ...file, name: 'letter.txt' }] },
    'the placeholder of another file': { files: [{ ...file, name: 'file-1' }] },
    'no placeholder': { files: [{ ...file, name: undefined }] },
    'a relative path': { files: [{ ...file, relativePath: 'trip/file-0' }] },
    'an empty relative path': { files: [{ ...file, relativePath: '' }] },
    'a content type': { files: [{ ...file, contentType: 'text/plain' }] },
    'less than one record': { files: [{ ...file, size: 15 }] },
    'a size of 0': { files: [{ ...file, size: 0 }] },
    'a last record without content': { files: [{ ...file, size: 65_552 + 16 }] },
  };
  for (const [what, change] of Object.entries(refused)) {
    test(`is rejected with ${what}`, async () => {
      for (const mode of ['OFFLINE', 'ONLINE']) {
        await alice.refused(400, 1000, 'POST', TRANSFERS, { body: { ...BODY, ...change, mode } });
      }
    });
  }

  test('has files of all sizes that records can have', async () => {
    const sizes = [16, 17, 65_551, 65_552, 65_552 + 17, 2 * 65_552];
    const files = sizes.map((size, index) => ({ name: `file-${index}`, size, encryptedName: NAME }));
    const made = await alice.ask<PeerSession>('POST', TRANSFERS, { body: { ...BODY, files } });
    assert.deepEqual(
      made.files.map(({ size }) => size),
      sizes,
    );
  });

  test('can be announced with `filename`, and with null members', async () => {
    const files = [
      { filename: 'file-0', size: 17, encryptedName: NAME, relativePath: null, contentType: null },
    ];
    await alice.ask('POST', TRANSFERS, { body: { ...BODY, files } });
  });
});

describe('a session that is not encrypted', () => {
  test('says so', async () => {
    const made = await alice.ask<PeerSession>('POST', TRANSFERS, {
      body: { mode: 'ONLINE', files: ONE_FILE, encrypted: false, salt: null },
    });
    assert.deepEqual([made.encrypted, made.salt, made.files[0]?.encryptedName], [false, null, null]);
  });

  test('is rejected with a salt or an encrypted name, which no one would use', async () => {
    const bodies = [
      { files: ONE_FILE, salt: SALT },
      { files: ONE_FILE, encrypted: false, salt: SALT },
      { files: [{ ...ONE_FILE[0], encryptedName: NAME }] },
    ];
    for (const body of bodies) {
      await alice.refused(400, 1000, 'POST', TRANSFERS, { body: { mode: 'ONLINE', ...body } });
    }
  });
});
