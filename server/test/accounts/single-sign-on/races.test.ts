// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { User } from '../../../src/accounts/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { securityOf } from '../../support/app/second-factor.ts';
import { addPasskey, PASSKEYS } from '../../support/app/software-authenticator.ts';
import { countStatuses } from '../../support/checks/race.ts';
import { Browser } from '../../support/sign-on/browser.ts';
import { startProvider } from '../../support/sign-on/test-provider.ts';

const provider = await startProvider();
const env = provider.env({ HOLDALL_OIDC_REGISTER: 'on', HOLDALL_RATE_LIMITS: 'off' });
const holdall = await startHoldall({ env });
const beside = await startHoldall({ beside: holdall, env: { ...env, HOLDALL_PUBLIC_URL: holdall.url } });
provider.admitClients(holdall.url);

const urls = [holdall.url, beside.url];
const newBrowser = () => new Browser(holdall.url);
const times = <T>(count: number, call: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

describe('races of single sign-on', () => {
  test('of 20 requests with one ticket, one succeeds', async () => {
    const browser = newBrowser();
    const { fragment } = await browser.getTicketOrError('ticket');
    const answers = await times(20, (index) => {
      const copy = new Browser(urls[index % 2] ?? '');
      for (const cookie of browser.cookies) copy.cookies.set(...cookie);
      return copy.sendTicket(fragment.ticket);
    });
    assert.deepEqual(countStatuses(answers), { 200: 1, 401: 19 });
  });

  test('of 10 callbacks with one code, one leads to a ticket, and the provider is asked once', async () => {
    const browser = newBrowser();
    const callback = await browser.logInAtProvider('callback');
    const before = provider.requests.length;
    const landings = await times(10, () => {
      const copy = newBrowser();
      for (const cookie of browser.cookies) copy.cookies.set(...cookie);
      return copy.openCallback(callback);
    });
    assert.equal(landings.filter(({ fragment }) => fragment.ticket !== undefined).length, 1);
    assert.equal(landings.filter(({ fragment }) => fragment.error === 'expired').length, 9);
    assert.equal(provider.requests.slice(before).filter((line) => line === 'POST /token').length, 1);
  });

  test('10 first logins of one person lead to one account', async () => {
    const people = await times(10, () => newBrowser().logIn('one-person'));
    assert.equal(new Set(people.map(({ id }) => id)).size, 1);
    assert.ok(!people.some(({ username }) => username !== 'one-person'));
  });

  test('10 people with the same name and address get 10 usernames, and one gets the address', async () => {
    const claims = { preferred_username: 'namesake', email: 'namesake@example.org' };
    for (let number = 0; number < 10; number += 1) provider.describe(`namesake-${number}`, claims);
    const people = await times(10, (index) => newBrowser().logIn(`namesake-${index}`));
    assert.equal(new Set(people.map(({ id }) => id)).size, 10);
    const users = await Promise.all(people.map((person) => person.ask<User>('GET', '/api/user/profile')));
    assert.deepEqual(
      users.map(({ username }) => username).toSorted(),
      ['', 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => `namesake${number}`).toSorted(),
    );
    assert.equal(users.filter(({ email }) => email === claims.email).length, 1);
  });

  test('of 6 accounts that link one identity at the same time, one succeeds', async () => {
    const people: Person[] = [];
    // Registers them one by one, because an invite code is valid for one registration.
    while (people.length < 6) people.push(await holdall.register('linker'));
    const landings = await Promise.all(people.map((person) => newBrowser().link(person, 'wanted')));
    assert.equal(landings.filter(({ fragment }) => fragment.linked === 'true').length, 1);
    assert.equal(landings.filter(({ fragment }) => fragment.error === 'taken').length, 5);
    const counts = await Promise.all(
      people.map(async (person) => (await securityOf(person)).identities.length),
    );
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      1,
    );
  });

  test('if an identity and a passkey are removed at the same time, one of them stays', async () => {
    const zoe = await newBrowser().logIn('zoe-passkey');
    const { record } = await addPasskey(zoe);
    const [identity] = (await securityOf(zoe)).identities;
    const answers = await Promise.all([
      zoe.call('DELETE', `${PASSKEYS}/${record.id}`),
      zoe.call('DELETE', `/api/user/identities/${identity?.id}`),
    ]);
    assert.deepEqual(countStatuses(answers), { 200: 1, 400: 1 });
  });

  test('if all 4 identities are unlinked at the same time, one stays as a way to log in', async () => {
    const zoe = await newBrowser().logIn('zoe-0');
    for (const login of ['zoe-1', 'zoe-2', 'zoe-3']) await newBrowser().link(zoe, login);
    const { identities } = await securityOf(zoe);
    assert.equal(identities.length, 4);
    const answers = await Promise.all(
      identities.map(({ id }) => zoe.call('DELETE', `/api/user/identities/${id}`)),
    );
    assert.deepEqual(countStatuses(answers), { 200: 3, 400: 1 });
    assert.equal((await securityOf(zoe)).identities.length, 1);
  });
});
