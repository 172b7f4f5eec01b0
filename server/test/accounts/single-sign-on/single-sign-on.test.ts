// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { User } from '../../../src/accounts/contract.ts';
import type { AuthMethods } from '../../../src/accounts/security/contract.ts';
import { asAdmin } from '../../support/app/admin.ts';
import { asProgram, createAppPassword } from '../../support/app/app-passwords.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { securityOf, setUpTotp } from '../../support/app/second-factor.ts';
import { addPasskey, PASSKEYS } from '../../support/app/software-authenticator.ts';
import { Browser, START, TICKET } from '../../support/sign-on/browser.ts';
import { PROVIDER_NAME, startProvider } from '../../support/sign-on/test-provider.ts';

const provider = await startProvider();
const env = provider.env({ HOLDALL_RATE_LIMITS: 'off' });
const closed = await startHoldall({ env });
const holdall = await startHoldall({ beside: closed, env: { ...env, HOLDALL_OIDC_REGISTER: 'on' } });
const withRoles = await startHoldall({
  beside: closed,
  env: { ...env, HOLDALL_OIDC_REGISTER: 'on', HOLDALL_OIDC_ADMIN_CLAIM: 'holdall_admin' },
});
const without = await startHoldall({ beside: closed, env: { HOLDALL_RATE_LIMITS: 'off' } });
provider.admitClients(closed.url, holdall.url, withRoles.url);
const admin = await holdall.admin();

const newBrowser = (where = holdall) => new Browser(where.url);
const profileOf = (person: Person) => person.ask<User>('GET', '/api/user/profile');
const unlink = (person: Person, id: number | undefined) =>
  person.call('DELETE', `/api/user/identities/${id}`);

/** Registers a person with a linked identity that has the same name at the provider. */
async function registerLinked(): Promise<Person> {
  const person = await holdall.register('linked');
  assert.deepEqual(await newBrowser().link(person, person.username), {
    page: '/profile/security',
    fragment: { linked: 'true' },
  });
  return person;
}

describe('the login page', () => {
  test('gets the name of the provider, or that there is none', async () => {
    const methods = ({ anonymous }: typeof holdall) => anonymous.ask<AuthMethods>('GET', '/api/auth/methods');
    assert.deepEqual((await methods(holdall)).singleSignOn, { name: PROVIDER_NAME });
    assert.equal((await methods(without)).singleSignOn, null);
  });

  test('gets 404 from every call where single sign-on is off', async () => {
    const person = without.anonymous.with((await holdall.register('off')).login);
    await person.refused(404, 1003, 'GET', START);
    await person.refused(404, 1003, 'GET', '/api/auth/oidc/callback');
    await person.refused(404, 1003, 'POST', TICKET, { body: { ticket: 'x' } });
    await person.refused(404, 1003, 'POST', '/api/user/identities/oidc');
  });
});

describe('the first login', () => {
  test('creates an account with the name and the address of the provider, and no password', async () => {
    provider.describe('zoe-1', { name: 'Zoë Müller', preferred_username: 'zoe', email: 'zoe@example.org' });
    const zoe = await newBrowser().logIn('zoe-1');
    const { username, displayName, email, phoneNumber, role, mustChangePassword } = await profileOf(zoe);
    assert.deepEqual(
      { username, displayName, email, phoneNumber, role, mustChangePassword },
      {
        ...{ username: 'zoe', displayName: 'Zoë Müller', email: 'zoe@example.org' },
        ...{ phoneNumber: null, role: 'USER', mustChangePassword: false },
      },
    );
    const { hasPassword, identities } = await securityOf(zoe);
    assert.equal(hasPassword, false);
    assert.deepEqual(
      identities.map(({ issuer }) => issuer),
      [provider.issuer],
    );
    assert.deepEqual(await zoe.names('/'), ['Documents', 'Downloads', 'Pictures']);
    await zoe.with(undefined).refused(401, 1001, 'POST', '/api/auth/login', {
      body: { username: 'zoe', password: '' },
    });
  });

  test('appends a number to a taken name, and leaves out an address that another account has', async () => {
    const owner = await holdall.register('taken');
    const claims = {
      preferred_username: owner.username.toUpperCase(),
      email: `${owner.username}@EXAMPLE.org`,
    };
    provider.describe('namesake-1', claims);
    provider.describe('namesake-2', claims);
    const [first, second] = [await newBrowser().logIn('namesake-1'), await newBrowser().logIn('namesake-2')];
    assert.equal((await profileOf(first)).username, `${owner.username.toUpperCase()}2`);
    assert.equal((await profileOf(second)).username, `${owner.username.toUpperCase()}3`);
    assert.equal((await profileOf(first)).email, null);
    assert.notEqual(first.id, owner.id);
  });

  test('leads to the same account the next time, even if names have changed', async () => {
    const ann = await newBrowser().logIn('same-person');
    provider.describe('same-person', { preferred_username: 'another-name', email: 'another@example.org' });
    const again = await newBrowser().logIn('same-person');
    assert.equal(again.id, ann.id);
    assert.equal((await profileOf(again)).username, 'same-person');
  });

  test('creates no account while registration is off, but logs in to existing ones', async () => {
    const before = (await asAdmin(admin).users()).total;
    assert.deepEqual(await newBrowser(closed).getTicketOrError('stranger'), {
      page: '/login',
      fragment: { error: 'no-account' },
    });
    assert.equal((await asAdmin(admin).users()).total, before);
    const ann = await registerLinked();
    assert.equal((await newBrowser(closed).logIn(ann.username)).id, ann.id);
  });

  test('makes someone an admin only if the claim is true', async () => {
    for (const [login, claim, role] of [
      ['chief', true, 'ADMIN'],
      ['clerk', false, 'USER'],
      ['trickster', 'true', 'USER'],
      ['nobody', undefined, 'USER'],
    ] as const) {
      provider.describe(login, { holdall_admin: claim });
      assert.equal((await profileOf(await newBrowser(withRoles).logIn(login))).role, role, login);
    }
    provider.describe('clerk', { holdall_admin: true });
    assert.equal((await profileOf(await newBrowser().logIn('clerk'))).role, 'USER');
    assert.equal((await profileOf(await newBrowser(withRoles).logIn('clerk'))).role, 'ADMIN');
    provider.describe('clerk', { holdall_admin: false });
    assert.equal((await profileOf(await newBrowser(withRoles).logIn('clerk'))).role, 'ADMIN');
    const { items } = await asAdmin(admin).audits({ size: 100 });
    const changes = items.filter(({ actor }) => actor === 'single sign-on');
    assert.deepEqual(
      changes.map(({ action, target }) => [action, target]),
      [
        ['UPDATE_USER_ROLE', 'clerk'],
        ['UPDATE_USER_ROLE', 'chief'],
      ],
    );
  });
});

describe('a login', () => {
  test('returns to the page of the service where it started', async () => {
    const browser = newBrowser();
    const next = '/drive/Documents?preview=5';
    const url = `${holdall.url}${START}?next=${encodeURIComponent(next)}`;
    const { page } = await browser.getTicketOrError('walker', url);
    assert.equal(page, `/login?${new URLSearchParams({ next })}`);
  });

  test('never redirects to another site', async () => {
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const url = `${holdall.url}${START}?next=${encodeURIComponent(next)}`;
      assert.equal((await newBrowser().getTicketOrError('walker', url)).page, '/login', next);
    }
  });

  test('needs no code from an authenticator app, and counts as a second factor', async () => {
    const strict = await startHoldall({
      beside: closed,
      env: { ...env, HOLDALL_REQUIRE_SECOND_FACTOR: 'all', HOLDALL_PUBLIC_URL: holdall.url },
    });
    const ann = await registerLinked();
    await setUpTotp(ann, holdall.clock);
    const again = await newBrowser().logIn(ann.username);
    assert.equal(again.id, ann.id);
    const only = await newBrowser().logIn('only-single-sign-on');
    assert.deepEqual(await strict.anonymous.with(only.login).names('/Documents'), []);
    const bare = await holdall.register('bare');
    await strict.anonymous.with(bare.login).refused(403, 1002, 'GET', '/api/files/list?path=/');
  });

  test('uses the device and the client type of the request', async () => {
    const device = '0b7c6a2e-7f5e-4b0f-9a53-1d6c9c8a1f00';
    const browser = newBrowser();
    const { fragment } = await browser.getTicketOrError('traveller');
    const headers = { 'x-service-device': device, 'x-service-client': 'mobile' };
    const { data } = await browser.sendTicket(fragment.ticket, headers);
    const [session] = await holdall.anonymous
      .with(data)
      .ask<{ device: string; client: string }[]>('GET', '/api/user/sessions');
    assert.deepEqual([session?.device, session?.client], [device, 'mobile']);
  });

  test('is rejected while the account is banned', async () => {
    const ann = await registerLinked();
    const browser = newBrowser();
    const { fragment } = await browser.getTicketOrError(ann.username);
    await asAdmin(admin).user(ann, 'status', { banned: true });
    assert.equal((await browser.sendTicket(fragment.ticket)).status, 403);
    assert.deepEqual((await newBrowser().getTicketOrError(ann.username)).fragment, { error: 'banned' });
    await asAdmin(admin).user(ann, 'status', { banned: false });
    assert.equal((await newBrowser().logIn(ann.username)).id, ann.id);
  });

  test('reports that the person cancelled it', async () => {
    assert.deepEqual(await newBrowser().getTicketOrError(''), {
      page: '/login',
      fragment: { error: 'denied' },
    });
  });

  test('with an identity whose account was deleted creates another account', async () => {
    const gone = await newBrowser().logIn('gone');
    const body = { username: gone.username };
    await admin.ask('DELETE', `/api/admin/users/${gone.id}`, { body });
    const again = await newBrowser().logIn('gone');
    assert.notEqual(again.id, gone.id);
    assert.equal((await profileOf(again)).username, 'gone');
  });
});

describe('an identity', () => {
  test('is linked by the owner of an account, and logs in to it from then on', async () => {
    const ann = await registerLinked();
    const again = await newBrowser().logIn(ann.username);
    assert.equal(again.id, ann.id);
    assert.equal((await securityOf(again)).identities.length, 1);
  });

  test('is not linked by a name or an address, even if they are the same', async () => {
    const ann = await holdall.register('mine');
    const email = `${ann.username}@example.org`;
    provider.describe('impostor', { preferred_username: ann.username, email, email_verified: true });
    const impostor = await newBrowser().logIn('impostor');
    assert.notEqual(impostor.id, ann.id);
    assert.deepEqual((await securityOf(ann)).identities, []);
  });

  test('can be linked to the same account again, but not to another one', async () => {
    const [ann, bob] = [await registerLinked(), await holdall.register('bob')];
    assert.deepEqual((await newBrowser().link(ann, ann.username)).fragment, { linked: 'true' });
    assert.deepEqual(await newBrowser().link(bob, ann.username), {
      page: '/profile/security',
      fragment: { error: 'taken' },
    });
    assert.equal((await securityOf(ann)).identities.length, 1);
    assert.equal((await securityOf(bob)).identities.length, 0);
  });

  test('is not linked after the owner has logged out', async () => {
    const ann = await holdall.register('hasty');
    const browser = newBrowser();
    const callback = await browser.logInAtProvider(ann.username, await browser.startLinking(ann));
    await ann.ask('POST', '/api/auth/logout');
    assert.deepEqual((await browser.openCallback(callback)).fragment, { error: 'expired' });
    assert.deepEqual((await securityOf(await ann.logIn())).identities, []);
  });

  test('cannot be linked in another browser, to which somebody has sent the address', async () => {
    const mallory = await holdall.register('mallory');
    const url = await newBrowser().startLinking(mallory);
    const victim = newBrowser();
    assert.deepEqual((await victim.getTicketOrError('victim', url)).fragment, { error: 'expired' });
    assert.deepEqual((await securityOf(mallory)).identities, []);
  });

  test('can be unlinked by its owner, and no longer logs in', async () => {
    const ann = await registerLinked();
    const browser = newBrowser();
    const { fragment } = await browser.getTicketOrError(ann.username);
    const [identity] = (await securityOf(ann)).identities;
    assert.equal((await unlink(await holdall.register('other'), identity?.id)).status, 404);
    assert.equal((await unlink(ann, identity?.id)).status, 200);
    assert.deepEqual((await securityOf(ann)).identities, []);
    assert.equal((await unlink(ann, identity?.id)).status, 404);
    assert.equal((await browser.sendTicket(fragment.ticket)).status, 401);
    assert.deepEqual((await newBrowser(closed).getTicketOrError(ann.username)).fragment, {
      error: 'no-account',
    });
  });

  test('stays if it is the last way to log in', async () => {
    const zoe = await newBrowser().logIn('only-way');
    const [first] = (await securityOf(zoe)).identities;
    const refused = await unlink(zoe, first?.id);
    assert.deepEqual([refused.status, refused.code], [400, 1003]);
    await newBrowser().link(zoe, 'second-way');
    const [, second] = (await securityOf(zoe)).identities;
    // With single sign-on off, the second identity is not a way to log in.
    assert.equal((await unlink(without.anonymous.with(zoe.login), first?.id)).status, 400);
    assert.equal((await unlink(zoe, first?.id)).status, 200);
    assert.equal((await unlink(zoe, second?.id)).status, 400);
    assert.equal((await newBrowser().logIn('second-way')).id, zoe.id);
  });

  test('of an earlier provider does not meet the requirement and cannot log in', async () => {
    const issuer = 'https://earlier.example.org';
    const strict = { ...env, HOLDALL_REQUIRE_SECOND_FACTOR: 'all' };
    const [same, other, off] = [
      await startHoldall({ beside: closed, env: strict }),
      await startHoldall({ beside: closed, env: { ...strict, HOLDALL_OIDC_ISSUER: issuer } }),
      await startHoldall({
        beside: closed,
        env: { HOLDALL_RATE_LIMITS: 'off', HOLDALL_REQUIRE_SECOND_FACTOR: 'all' },
      }),
    ];
    const ann = await registerLinked();
    const program = await createAppPassword(ann);
    for (const [where, counts] of [
      [same, true],
      [other, false],
      [off, false],
    ] as const) {
      const there = where.anonymous.with(ann.login);
      const answer = await there.call('GET', '/api/files/list?path=/');
      assert.equal(answer.status, counts ? 200 : 403);
      const byProgram = await asProgram(there, program.password).call('GET', '/api/files/list?path=/');
      assert.equal(byProgram.status, counts ? 200 : 403);
      const { hasSecondFactor, identities } = await securityOf(there);
      assert.deepEqual([hasSecondFactor, identities.length], [counts, 1]);
    }
    const zoe = await newBrowser().logIn('of-an-earlier-provider');
    await newBrowser().link(zoe, 'a-second-identity');
    const [first] = (await securityOf(zoe)).identities;
    // With the other provider, the second identity is not a way to log in.
    assert.equal((await unlink(other.anonymous.with(zoe.login), first?.id)).status, 400);
    assert.equal((await unlink(same.anonymous.with(zoe.login), first?.id)).status, 200);
  });

  test('stays if the only passkey cannot be used at the address of the service', async () => {
    const zoe = await newBrowser().logIn('moved-to-an-address');
    await addPasskey(zoe);
    const atAddress = await startHoldall({
      beside: closed,
      env: { ...env, HOLDALL_PUBLIC_URL: 'http://192.168.1.5:8080' },
    });
    const [identity] = (await securityOf(zoe)).identities;
    assert.equal((await unlink(atAddress.anonymous.with(zoe.login), identity?.id)).status, 400);
    assert.equal((await unlink(zoe, identity?.id)).status, 200);
  });

  test('can be seen and removed by an admin, even as the last way to log in', async () => {
    const zoe = await newBrowser().logIn('evicted');
    const path = (id: number | undefined) => `/api/admin/users/${zoe.id}/identities/${id}`;
    const shown = async () => (await asAdmin(admin).users({ query: 'evicted' })).items[0];
    const [identity] = (await securityOf(zoe)).identities;
    assert.deepEqual((await shown())?.identities, [identity]);
    assert.equal((await shown())?.hasPassword, false);
    const mod = await holdall.register('mod');
    await asAdmin(admin).user(mod, 'role', { role: 'MODERATOR' });
    await (await holdall.register('other')).refused(403, 1002, 'DELETE', path(identity?.id));
    await admin.refused(404, 1003, 'DELETE', path(999_999));
    await admin.refused(404, 1003, 'DELETE', `/api/admin/users/${mod.id}/identities/${identity?.id}`);
    assert.equal(await mod.ask('DELETE', path(identity?.id)), null);
    assert.deepEqual((await shown())?.identities, []);
    assert.deepEqual((await newBrowser(closed).getTicketOrError('evicted')).fragment, {
      error: 'no-account',
    });
    const [entry] = (await asAdmin(admin).audits({ targetType: 'USER', targetId: zoe.id })).items;
    assert.deepEqual(
      [entry?.action, entry?.detailsJson, entry?.summary],
      ['DELETE_IDENTITY', { issuer: provider.issuer }, 'Deleted an identity of evicted.'],
    );
    const reset = await admin.ask<{ temporaryPassword: string }>(
      'POST',
      `/api/admin/users/${zoe.id}/password/reset`,
    );
    assert.equal((await shown())?.hasPassword, true);
    await Object.assign(zoe.with(undefined), { username: 'evicted' }).logIn(reset.temporaryPassword);
  });

  test('of an admin cannot be removed by a moderator, and admins unlink their own in the profile', async () => {
    const chief = await holdall.admin();
    await newBrowser().link(chief, 'the-chief');
    const [identity] = (await securityOf(chief)).identities;
    const path = `/api/admin/users/${chief.id}/identities/${identity?.id}`;
    const mod = await holdall.register('mod');
    await asAdmin(chief).user(mod, 'role', { role: 'MODERATOR' });
    await mod.refused(403, 1002, 'DELETE', path);
    await chief.refused(400, 1003, 'DELETE', path);
    assert.equal((await securityOf(chief)).identities.length, 1);
    await chief.ask('DELETE', `/api/user/identities/${identity?.id}`);
  });

  test('can be unlinked after a passkey was added, but then the passkey stays', async () => {
    const zoe = await newBrowser().logIn('with-passkey');
    const { record } = await addPasskey(zoe);
    const [identity] = (await securityOf(zoe)).identities;
    assert.equal((await unlink(zoe, identity?.id)).status, 200);
    await zoe.refused(400, 1003, 'DELETE', `${PASSKEYS}/${record.id}`);
    assert.equal((await securityOf(zoe)).passkeys, 1);
  });

  test('cannot be linked if the account already has 10', async () => {
    const ann = await registerLinked();
    for (let number = 2; number <= 10; number += 1) {
      assert.deepEqual((await newBrowser().link(ann, `${ann.username}-${number}`)).fragment, {
        linked: 'true',
      });
    }
    assert.deepEqual((await newBrowser().link(ann, `${ann.username}-11`)).fragment, {
      error: 'too-many-identities',
    });
  });
});
