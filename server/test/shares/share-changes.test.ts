// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { ShareSummary } from '../../src/shares/contract.ts';
import { asProgram, createAppPassword } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';

const SHARES = '/api/v2/shares';
const DAY = 86_400_000;

const holdall = await startHoldall();
let alice: Person;
let bob: Person;
let file: EntryRecord;

before(async () => {
  alice = await holdall.register('alice');
  bob = await holdall.register('bob');
  file = await alice.upload('/letter.txt', 'Dear Bob');
});

const share = (options: object = {}) =>
  alice.ask<ShareSummary>('POST', SHARES, { body: { fileId: file.id, ...options } });
const change = ({ id }: ShareSummary, body: object) =>
  alice.ask<ShareSummary>('PATCH', `${SHARES}/${id}`, { body });
const refused = (status: number, { id }: ShareSummary, body: unknown, person = alice) =>
  person.refused(status, 2000 + status, 'PATCH', `${SHARES}/${id}`, { body });
const download = async ({ token }: ShareSummary, headers: Record<string, string> = {}) => {
  const response = await holdall.anonymous.fetch('GET', `${SHARES}/${token}?download`, { headers });
  await response.arrayBuffer();
  return response.status;
};
const inDays = (days: number) => new Date(holdall.clock.now() + days * DAY).toISOString();

describe('a share', () => {
  test('takes each option in the body, and keeps the others', async () => {
    const made = await share({ shareName: 'For you', maxDownloads: 3, password: 'sesame' });
    const expiresAt = inDays(2);
    const steps: [object, Partial<ShareSummary>][] = [
      [{}, {}],
      [{ shareName: ' For all ' }, { shareName: 'For all' }],
      [{ expiresAt }, { expiresAt }],
      [
        { maxDownloads: 7, allowImport: false },
        { maxDownloads: 7, allowImport: false },
      ],
      [{ allowDownload: false }, { allowDownload: false }],
      [{ password: null }, { passwordRequired: false }],
      [
        { allowDownload: true, allowImport: true, id: 1, token: 'x', fileId: 1 },
        { allowDownload: true, allowImport: true },
      ],
    ];
    let expected = { ...made };
    for (const [body, changes] of steps) {
      expected = { ...expected, ...changes };
      assert.deepEqual(await change(made, body), expected, JSON.stringify(body));
    }
    const listed = await alice.ask<{ items: ShareSummary[] }>('GET', `${SHARES}/mine`);
    assert.deepEqual(
      listed.items.find(({ id }) => id === made.id),
      expected,
    );
  });

  test('resets an option to its default if it is null or blank', async () => {
    const made = await share({
      ...{ shareName: 'For you', password: 'sesame', expiresAt: inDays(1), maxDownloads: 1 },
      ...{ allowImport: false, allowDownload: false },
    });
    const empty = { shareName: null, password: null, expiresAt: null, maxDownloads: null };
    const changed = await change(made, { ...empty, allowImport: null, allowDownload: null });
    const { id, token, createdAt, file: shown, viewCount, downloadCount, ...rest } = changed;
    assert.deepEqual(rest, {
      ...{ shareName: 'letter.txt', ownerUsername: alice.username, passwordRequired: false },
      ...{ passwordVerified: true, allowImport: true, allowDownload: true, maxDownloads: null },
      ...{ expiresAt: null, expired: false, exhausted: false },
    });
    const again = await change(made, { shareName: '  ', password: ' ' });
    assert.deepEqual([again.shareName, again.passwordRequired], ['letter.txt', false]);
  });

  test('can be used again when its time or its budget is extended', async () => {
    const expired = await share({ expiresAt: inDays(1) });
    holdall.clock.advance(2 * DAY);
    await alice.logIn();
    await bob.logIn();
    assert.equal(await download(expired), 410);
    assert.equal((await change(expired, { expiresAt: inDays(1) })).expired, false);
    assert.equal(await download(expired), 200);

    const used = await share({ maxDownloads: 1 });
    assert.deepEqual([await download(used), await download(used)], [200, 410]);
    assert.equal((await change(used, { maxDownloads: 2 })).exhausted, false);
    assert.deepEqual([await download(used), await download(used)], [200, 410]);
  });

  test('is used up by a budget equal to what is spent, and rejects a lower one', async () => {
    const made = await share({ maxDownloads: 5 });
    for (const count of [1, 2]) assert.equal(await download(made), 200, String(count));
    await refused(400, made, { maxDownloads: 1, shareName: 'never' });
    assert.equal(await download(made), 200);
    const ended = await change(made, { maxDownloads: 3 });
    assert.deepEqual([ended.exhausted, ended.shareName], [true, 'letter.txt']);
    assert.equal(await download(made), 410);
  });

  test('is protected by its new password immediately, and no longer by the old one', async () => {
    const made = await share();
    assert.equal(await download(made), 200);
    assert.equal((await change(made, { password: 'sesame' })).passwordRequired, true);
    assert.equal(await download(made), 403);
    assert.equal(await download(made, { 'x-share-password': 'sesame' }), 200);
    await change(made, { password: 'poppy' });
    assert.equal(await download(made, { 'x-share-password': 'sesame' }), 403);
    assert.equal(await download(made, { 'x-share-password': 'poppy' }), 200);
  });
});

describe('a change of a share is rejected', () => {
  test('if a value breaks a rule for new shares', async () => {
    const made = await share({ shareName: 'For you' });
    const faults: unknown[] = [
      ...[undefined, [], 'x', { maxDownloads: 0 }, { maxDownloads: 1.5 }, { maxDownloads: '2' }],
      ...[{ expiresAt: inDays(-1) }, { expiresAt: 'tomorrow' }, { expiresAt: 5 }, { password: 5 }],
      ...[{ password: 'x'.repeat(129) }, { shareName: 'x'.repeat(256) }, { allowImport: 'yes' }],
    ];
    for (const body of faults) await refused(400, made, body);
    assert.equal((await change(made, {})).shareName, 'For you');
    await alice.refused(400, 2400, 'PATCH', `${SHARES}/none`, { body: {} });
  });

  test('for the share of another account, a legacy link, and while the file is in the recycle bin', async () => {
    const made = await share();
    await refused(404, made, { shareName: 'mine now' }, bob);
    await refused(404, { ...made, id: made.id + 1_000_000 }, {});
    await holdall.anonymous.refused(401, 2401, 'PATCH', `${SHARES}/${made.id}`, { body: {} });
    await alice.ask('POST', `/api/files/${file.id}/share-links`);
    const links = await alice.ask<{ items: { id: number }[] }>('GET', '/api/v2/share-links/mine');
    await refused(404, { ...made, id: links.items[0]?.id ?? 0 }, { maxDownloads: 1 });
    await alice.recycle(file);
    await refused(404, made, { shareName: 'gone' });
    file = await alice.restore(file);
    assert.equal((await change(made, {})).shareName, 'letter.txt');
  });

  test('with an app password that may only read', async () => {
    const made = await share();
    const reader = asProgram(alice, (await createAppPassword(alice, { scope: 'READ' })).password);
    await refused(403, made, { shareName: 'by a program' }, reader);
    const writer = asProgram(alice, (await createAppPassword(alice)).password);
    await writer.ask('PATCH', `${SHARES}/${made.id}`, { body: { shareName: 'by a program' } });
  });
});
