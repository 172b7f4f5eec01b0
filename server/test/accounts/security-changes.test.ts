// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SecurityChange } from '../../src/accounts/security/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { createAppPassword } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { type LoginState, PASSWORD, type Person } from '../support/app/person.ts';
import { securityOf, setUpTotp, TOTP_PATH } from '../support/app/second-factor.ts';
import { addPasskey, PASSKEYS } from '../support/app/software-authenticator.ts';
import { Browser } from '../support/sign-on/browser.ts';
import { startProvider } from '../support/sign-on/test-provider.ts';

const DAY = 86_400_000;
const CHANGES = '/api/user/security/changes';

const provider = await startProvider();
const env = provider.env({ HOLDALL_RATE_LIMITS: 'off' });
const holdall = await startHoldall({ env });
provider.admitClients(holdall.url);
const { clock } = holdall;
const admin = await holdall.admin();

const changesOf = (person: Person) => person.ask<SecurityChange[]>('GET', CHANGES);

interface Entry {
  readonly action: string;
  readonly actor: { readonly username: string } | string;
  readonly detailsJson: unknown;
}

const auditsOf = async (person: Person): Promise<readonly Entry[]> =>
  (await admin.ask<{ items: Entry[] }>('GET', `/api/admin/audits?targetType=USER&targetId=${person.id}`))
    .items;

describe('changes of how people log in', () => {
  test('are seen by the owner and by admins, without any secret', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const body = { password: PASSWORD };
    const renewed = await ann.ask<{ recoveryCodes: string[] }>('POST', `${TOTP_PATH}/recovery-codes`, {
      body,
    });
    await ann.ask('DELETE', TOTP_PATH, { body });
    const { record } = await addPasskey(ann, 'blue key');
    await ann.ask('DELETE', `${PASSKEYS}/${record.id}`);
    await new Browser(holdall.url).link(ann, ann.username);
    // Linking the same identity again changes nothing.
    await new Browser(holdall.url).link(ann, ann.username);
    const [identity] = (await securityOf(ann)).identities;
    await ann.ask('DELETE', `/api/user/identities/${identity?.id}`);
    const program = await createAppPassword(ann, { name: 'mirror', scope: 'WRITE' });
    await ann.ask('DELETE', `/api/user/app-passwords/${program.id}`);
    const newPassword = `${PASSWORD}!`;
    const change = { currentPassword: PASSWORD, newPassword };
    const owner = ann.with(await ann.ask<LoginState>('POST', '/api/user/password', { body: change }));

    const expected = [
      'CHANGE_PASSWORD',
      'DELETE_APP_PASSWORD',
      'CREATE_APP_PASSWORD',
      'UNLINK_IDENTITY',
      'LINK_IDENTITY',
      'REMOVE_PASSKEY',
      'ADD_PASSKEY',
      'REMOVE_TOTP',
      'RENEW_RECOVERY_CODES',
      'SET_UP_TOTP',
    ];
    const changes = await changesOf(owner);
    assert.deepEqual(
      changes.map(({ action, byOwner }) => [action, byOwner]),
      expected.map((action) => [action, true]),
    );
    const entries = await auditsOf(ann);
    assert.deepEqual(
      entries.map(({ action }) => action),
      expected,
    );
    assert.deepEqual(entries.find(({ action }) => action === 'ADD_PASSKEY')?.detailsJson, {
      name: 'blue key',
    });
    assert.deepEqual(entries.find(({ action }) => action === 'LINK_IDENTITY')?.detailsJson, {
      issuer: provider.issuer,
    });
    for (const action of ['CREATE_APP_PASSWORD', 'DELETE_APP_PASSWORD']) {
      const details = entries.find((entry) => entry.action === action)?.detailsJson;
      assert.deepEqual(details, { name: 'mirror', scope: 'WRITE' });
    }
    const text = JSON.stringify([changes, entries]);
    for (const secret of [program.password, app.secret, ...renewed.recoveryCodes, PASSWORD])
      assert(!text.includes(secret));
  });

  test('by administrators are seen by the owner, without the names of the administrators', async () => {
    const ann = await holdall.register('ann');
    await setUpTotp(ann, clock);
    await admin.ask('DELETE', `/api/admin/users/${ann.id}/second-factors`);
    await asAdmin(admin).user(ann, 'storage-quota', { storageQuotaBytes: 10 ** 9 });
    const changes = await changesOf(ann);
    assert.deepEqual(
      changes.map(({ action, byOwner }) => [action, byOwner]),
      [
        ['RESET_SECOND_FACTORS', false],
        ['SET_UP_TOTP', true],
      ],
    );
    assert(!JSON.stringify(changes).includes(admin.username));
  });

  test('of other accounts are not seen', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    await addPasskey(ann);
    assert.deepEqual(await changesOf(bob), []);
  });

  test('that were rejected are not recorded', async () => {
    const ann = await holdall.register('ann');
    await ann.refused(404, 1003, 'DELETE', `${PASSKEYS}/999999`);
    await ann.refused(400, 1003, 'DELETE', TOTP_PATH, { body: { password: 'not the password' } });
    const { authenticator } = await addPasskey(ann);
    assert.deepEqual((await changesOf(ann)).length, 1);
    assert.equal(authenticator.signCount, 0);
  });

  test('are limited to 200 a day, but removals are never refused', async () => {
    const ann = await holdall.register('ann');
    for (let count = 0; count < 100; count += 1) {
      const { record } = await addPasskey(ann);
      await ann.ask('DELETE', `${PASSKEYS}/${record.id}`);
    }
    const refused = async () => assert.rejects(addPasskey(ann), /too often/);
    await refused();
    await new Browser(holdall.url).link(ann, ann.username).then(({ fragment }) => {
      assert.deepEqual(fragment, { error: 'too-many' });
    });
    await assert.rejects(createAppPassword(ann), /too often/);
    assert.equal((await changesOf(ann)).length, 50, 'the newest are shown');
    assert.equal((await securityOf(ann)).passkeys, 0);
    const change = { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` };
    await ann.ask('POST', '/api/user/password', { body: change });
    clock.advance(DAY);
    const again = await ann.with(undefined).logIn(change.newPassword);
    await addPasskey(again);
  });

  test('of the password are limited to 200 a day', async () => {
    let eve = await holdall.register('eve');
    const passwords = [PASSWORD, `${PASSWORD}!`];
    const change = (count: number) => ({
      currentPassword: passwords[count % 2],
      newPassword: passwords[(count + 1) % 2],
    });
    for (let count = 0; count < 200; count += 1) {
      eve = eve.with(await eve.ask<LoginState>('POST', '/api/user/password', { body: change(count) }));
    }
    const { status, retryAfter } = await eve
      .fetch('POST', '/api/user/password', { body: change(0) })
      .then((answer) => ({ status: answer.status, retryAfter: answer.headers.get('retry-after') }));
    assert.equal(status, 429);
    assert.ok(Number(retryAfter) > 0);
  });
});
