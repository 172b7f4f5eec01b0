// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CreationOptions, PasskeyRecord } from '../../src/accounts/passkeys/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { asProgram, createAppPassword } from '../support/app/app-passwords.ts';
import { environmentOf, runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD, type Person } from '../support/app/person.ts';
import { securityOf, setUpTotp } from '../support/app/second-factor.ts';
import {
  addPasskey,
  askForPasskey,
  type Faults,
  PASSKEY_LOGIN,
  PASSKEYS,
  SoftwareAuthenticator,
  sendPasskey,
} from '../support/app/software-authenticator.ts';

const MINUTE = 60_000;
const USER_PRESENT = 1;

const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const beside = await startHoldall({ beside: holdall, env });
const { clock } = holdall;
const { db } = holdall.app.database;

const list = (person: Person) => person.ask<PasskeyRecord[]>('GET', PASSKEYS);
const begin = (person: Person) => person.ask<CreationOptions>('POST', `${PASSKEYS}/options`);

async function logInWith(person: Person, authenticator: SoftwareAuthenticator): Promise<Person> {
  const answer = await sendPasskey(person, authenticator.use(await askForPasskey(person)));
  assert.equal(answer.code, 0, answer.msg);
  return person.with(answer.data);
}

const WRONG_ANSWERS: readonly (readonly [what: string, faults: Faults])[] = [
  ['another origin', { origin: 'http://localhost:1' }],
  ['the origin of another site', { origin: 'https://holdall.example.org' }],
  ['another relying party', { rpId: 'example.org' }],
  ['a challenge that was never issued', { challenge: Buffer.from('x.y').toString('base64url') }],
  ['a user who was not verified', { flags: USER_PRESENT }],
  ['a user who was not present', { flags: 0 }],
];

describe('adding a passkey', () => {
  test('stores the credential that the browser creates, and lists it', async () => {
    const ann = await holdall.register('ann');
    const options = await begin(ann);
    assert.deepEqual(options.rp, { id: 'localhost', name: 'Holdall' });
    assert.deepEqual([options.user.name, options.user.displayName], [ann.username, ann.username]);
    assert.equal(Buffer.from(options.user.id, 'base64url').length, 32);
    assert.deepEqual(options.authenticatorSelection, {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    });
    assert.deepEqual([options.attestation, options.excludeCredentials], ['none', []]);
    const authenticator = new SoftwareAuthenticator(holdall.url);
    const body = { name: ' my phone ', credential: authenticator.create(options) };
    const record = await ann.ask<PasskeyRecord>('POST', PASSKEYS, { body });
    assert.deepEqual([record.name, record.lastUsedAt], ['my phone', null]);
    assert.deepEqual(await list(ann), [record]);
    assert.equal((await securityOf(ann)).passkeys, 1);
    const next = await begin(ann);
    assert.equal(next.user.id, options.user.id, 'all passkeys of an account have one handle');
    assert.deepEqual(next.excludeCredentials, [
      { id: authenticator.id, type: 'public-key', transports: ['internal'] },
    ]);
  });

  for (const [what, faults] of [
    ...WRONG_ANSWERS,
    ['the answer of a login', { type: 'webauthn.get' }] as const,
  ]) {
    test(`is rejected with ${what}`, async () => {
      const ann = await holdall.register('ann');
      const credential = new SoftwareAuthenticator(holdall.url).create(await begin(ann), faults);
      await ann.refused(400, 1003, 'POST', PASSKEYS, { body: { name: 'x', credential } });
      assert.deepEqual(await list(ann), []);
    });
  }

  for (const attestation of ['packed', 'tpm', 'apple', 'android-key', 'of a later version']) {
    test(`ignores an attestation, because none was requested: ${attestation}`, async () => {
      const ann = await holdall.register('ann');
      const authenticator = new SoftwareAuthenticator(holdall.url);
      const credential = authenticator.create(await begin(ann), { attestation });
      await ann.ask('POST', PASSKEYS, { body: { name: 'x', credential } });
      await logInWith(ann, authenticator);
    });
  }

  test('is rejected with a challenge that is used, too old, of another account or for a login', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const options = await begin(ann);
    const send = (person: Person, answered: CreationOptions) => {
      const credential = new SoftwareAuthenticator(holdall.url).create(answered);
      return person.call('POST', PASSKEYS, { body: { name: 'x', credential } });
    };
    assert.equal((await send(bob, options)).status, 400);
    assert.equal((await send(ann, options)).status, 200);
    assert.equal((await send(ann, options)).status, 400);
    const old = await begin(ann);
    clock.advance(5 * MINUTE);
    assert.equal((await send(ann, old)).status, 400);
    const { challenge } = await askForPasskey(ann);
    assert.equal((await send(ann, { ...(await begin(ann)), challenge })).status, 400);
    assert.equal((await list(ann)).length, 1);
  });

  test('is rejected with an invalid name or body', async () => {
    const ann = await holdall.register('ann');
    const credential = new SoftwareAuthenticator(holdall.url).create(await begin(ann));
    for (const bad of [
      ...[{ name: ' ' }, { name: 'x'.repeat(65) }, { name: 5 }, { credential: null }, { credential: {} }],
      ...[{ credential: { ...credential, id: 5 } }, { credential: { ...credential, type: 'password' } }],
      { credential: { ...credential, id: 'x'.repeat(1_401) } },
    ]) {
      await ann.refused(400, 1000, 'POST', PASSKEYS, { body: { name: 'x', credential, ...bad } });
    }
    for (const broken of [
      { ...credential, rawId: 'other' },
      { ...credential, response: { ...credential.response, attestationObject: 'AAAA' } },
      { ...credential, response: { ...credential.response, attestationObject: '' } },
      { ...credential, response: { ...credential.response, clientDataJSON: 'bnVsbA' } },
    ]) {
      await ann.refused(400, 1003, 'POST', PASSKEYS, { body: { name: 'x', credential: broken } });
    }
  });

  test('is rejected for a passkey that an account already has', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const { authenticator } = await addPasskey(ann);
    for (const person of [ann, bob]) {
      const credential = authenticator.create(await begin(person));
      await person.refused(409, 1003, 'POST', PASSKEYS, { body: { name: 'x', credential } });
    }
  });

  test('adds 25 of 30 simultaneous passkeys at two instances', async () => {
    const ann = await holdall.register('ann');
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const url = index % 2 === 0 ? holdall.url : beside.url;
        const at = (path: string) => new URL(path, url).href;
        const options = await ann.ask<CreationOptions>('POST', at(`${PASSKEYS}/options`));
        const credential = new SoftwareAuthenticator(url).create(options);
        return ann.call('POST', at(PASSKEYS), { body: { name: `key ${index}`, credential } });
      }),
    );
    assert.equal(answers.filter(({ code }) => code === 0).length, 25);
    assert.equal((await list(ann)).length, 25);
  });

  test('succeeds only once with the same answer', async () => {
    const ann = await holdall.register('ann');
    const credential = new SoftwareAuthenticator(holdall.url).create(await begin(ann));
    const body = { name: 'x', credential };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ann.call('POST', PASSKEYS, { body })));
    assert.equal(answers.filter(({ code }) => code === 0).length, 1);
  });
});

describe('a login with a passkey', () => {
  test('needs no name, password or code, and records the use', async () => {
    const ann = await holdall.register('ann');
    const { authenticator } = await addPasskey(ann);
    await setUpTotp(ann, clock);
    const options = await askForPasskey(ann);
    assert.deepEqual(Object.keys(options).sort(), ['challenge', 'rpId', 'timeout', 'userVerification']);
    assert.deepEqual([options.rpId, options.userVerification], ['localhost', 'required']);
    const device = '6a1c7cf4-60a1-4f0f-8e63-c29e2c1a9f10';
    const answer = await sendPasskey(ann, authenticator.use(options), { 'x-service-device': device });
    const session = ann.with(answer.data);
    await session.ask('GET', '/api/files/list?path=/');
    const sessions = await session.ask<{ device: string; current: boolean }[]>('GET', '/api/user/sessions');
    assert.equal(sessions.find(({ current }) => current)?.device, device);
    const [record] = await list(session);
    assert(Math.abs(Date.parse(record?.lastUsedAt ?? '') - clock.now()) < MINUTE);
  });

  for (const [what, faults] of [
    ...WRONG_ANSWERS,
    ['the answer of a registration', { type: 'webauthn.create' }],
    ['another user', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['no user', { userHandle: null }],
  ] as const) {
    test(`is rejected with ${what}`, async () => {
      const ann = await holdall.register('ann');
      const { authenticator } = await addPasskey(ann);
      const answer = await sendPasskey(ann, authenticator.use(await askForPasskey(ann), faults));
      assert.deepEqual([answer.status, answer.code, answer.data], [401, 1001, null]);
      assert.equal((await list(ann))[0]?.lastUsedAt, null);
    });
  }

  test('is rejected with the signature of another key, or a challenge that is used or too old', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const [anns, bobs] = [await addPasskey(ann), await addPasskey(bob)];
    const options = await askForPasskey(ann);
    const mixed = { ...anns.authenticator.use(options), response: bobs.authenticator.use(options).response };
    assert.equal((await sendPasskey(ann, mixed)).status, 401);
    const used = anns.authenticator.use(options);
    const changed = { ...used.response, signature: used.response.signature.replace(/^..../, 'AAAA') };
    assert.equal((await sendPasskey(ann, { ...used, response: changed })).status, 401);
    assert.equal((await sendPasskey(ann, used)).status, 200);
    assert.equal((await sendPasskey(ann, used)).status, 401);
    assert.equal((await sendPasskey(bob, bobs.authenticator.use(options))).status, 401);
    const old = await askForPasskey(bob);
    clock.advance(5 * MINUTE);
    assert.equal((await sendPasskey(bob, bobs.authenticator.use(old))).status, 401);
    const stranger = new SoftwareAuthenticator(holdall.url);
    assert.equal((await sendPasskey(bob, stranger.use(await askForPasskey(bob)))).status, 401);
  });

  test('is refused if the counter of signatures has not grown, as for a copied passkey', async () => {
    const ann = await holdall.register('ann');
    const { authenticator } = await addPasskey(ann);
    const send = async (signCount: number) =>
      (await sendPasskey(ann, authenticator.use(await askForPasskey(ann), { signCount }))).status;
    const statuses: number[] = [];
    for (const count of [0, 0, 5, 5, 4, 0, 6, 1_000_000, 7]) statuses.push(await send(count));
    assert.deepEqual(statuses, [200, 200, 200, 401, 401, 401, 200, 200, 401]);
  });

  test('of 10 at the same time with one answer, or with one counter, one succeeds', async () => {
    const ann = await holdall.register('ann');
    const { authenticator } = await addPasskey(ann);
    const one = authenticator.use(await askForPasskey(ann), { signCount: 1 });
    const there = Object.assign(beside.anonymous.with(undefined), { username: ann.username });
    const same = await Promise.all(Array.from({ length: 10 }, () => sendPasskey(ann, one)));
    assert.equal(same.filter(({ code }) => code === 0).length, 1);
    const others = await Promise.all(
      Array.from({ length: 10 }, async () => authenticator.use(await askForPasskey(ann), { signCount: 2 })),
    );
    const answers = await Promise.all(others.map((credential) => sendPasskey(ann, credential)));
    assert.equal(answers.filter(({ code }) => code === 0).length, 1);
    // In this test the other instance has another address, and therefore another origin.
    assert.equal(
      (await sendPasskey(there, authenticator.use(await askForPasskey(there), { signCount: 9 }))).status,
      401,
    );
  });

  test('is rejected for a deleted passkey and for a banned account', async () => {
    const [ann, admin] = [await holdall.register('ann'), await holdall.admin()];
    const first = await addPasskey(ann);
    const second = await addPasskey(ann, 'my key');
    assert.equal(await ann.ask('DELETE', `${PASSKEYS}/${first.record.id}`), null);
    await ann.refused(404, 1003, 'DELETE', `${PASSKEYS}/${first.record.id}`);
    const answer = await sendPasskey(ann, first.authenticator.use(await askForPasskey(ann)));
    assert.equal(answer.status, 401);
    const session = await logInWith(ann, second.authenticator);
    const bob = await holdall.register('bob');
    await bob.refused(404, 1003, 'DELETE', `${PASSKEYS}/${second.record.id}`);
    await asAdmin(admin).user(session, 'status', { banned: true });
    const credential = second.authenticator.use(await askForPasskey(ann));
    await ann.with(undefined).refused(403, 1002, 'POST', PASSKEY_LOGIN, { body: { credential } });
  });

  test('is rejected with an invalid body', async () => {
    const ann = await holdall.register('ann');
    const { authenticator } = await addPasskey(ann);
    const good = authenticator.use(await askForPasskey(ann));
    for (const credential of [undefined, null, 'x', {}, { ...good, id: null }, { ...good, response: {} }]) {
      await ann.with(undefined).refused(400, 1000, 'POST', PASSKEY_LOGIN, { body: { credential } });
    }
    for (const response of [
      { ...good.response, clientDataJSON: '' },
      { ...good.response, clientDataJSON: 'bnVsbA' },
      { ...good.response, authenticatorData: 'AA' },
      { ...good.response, signature: '!' },
    ]) {
      assert.equal((await sendPasskey(ann, { ...good, response })).status, 401);
    }
  });
});

describe('passkeys', () => {
  test('count as a second factor where one is required', async () => {
    const strict = await startHoldall({
      beside: holdall,
      env: { ...env, HOLDALL_REQUIRE_SECOND_FACTOR: 'all' },
    });
    const ann = strict.anonymous.with((await holdall.register('ann')).login);
    await ann.refused(403, 1002, 'GET', '/api/files/list?path=/');
    const { record } = await addPasskey(ann);
    await ann.ask('GET', '/api/files/list?path=/');
    assert.equal((await list(ann)).length, 1);
    await ann.ask('DELETE', `${PASSKEYS}/${record.id}`);
    await ann.refused(403, 1002, 'GET', '/api/files/list?path=/');
  });

  test('meet no requirement at an address where browsers have none', async () => {
    const ann = await holdall.register('ann');
    await addPasskey(ann);
    for (const [publicUrl, counts] of [
      ['http://192.168.1.5:8080', false],
      ['https://drive.example.org', true],
    ] as const) {
      const { anonymous } = await startHoldall({
        beside: holdall,
        env: { ...env, HOLDALL_PUBLIC_URL: publicUrl, HOLDALL_REQUIRE_SECOND_FACTOR: 'all' },
      });
      const there = anonymous.with(ann.login);
      assert.equal((await there.call('GET', '/api/files/list?path=/')).status, counts ? 200 : 403, publicUrl);
      const { hasSecondFactor, passkeys } = await securityOf(there);
      assert.deepEqual([hasSecondFactor, passkeys], [counts, 1]);
    }
  });

  test('can be removed by an administrator and by the command line', async () => {
    const admin = await holdall.admin();
    for (const reset of [
      (id: number) => admin.ask('DELETE', `/api/admin/users/${id}/second-factors`),
      async (_id: number, username: string) =>
        assert.equal(
          (await runCommand(environmentOf(holdall), ['admin', 'reset-second-factor', username])).code,
          0,
        ),
    ]) {
      const ann = await holdall.register('ann');
      const { authenticator } = await addPasskey(ann);
      await addPasskey(ann);
      const shown = await admin.ask<{ items: { passkeys: number }[] }>(
        'GET',
        `/api/admin/users?query=${ann.username}`,
      );
      assert.equal(shown.items[0]?.passkeys, 2);
      await reset(ann.id, ann.username);
      assert.deepEqual(await list(ann), []);
      assert.equal((await sendPasskey(ann, authenticator.use(await askForPasskey(ann)))).status, 401);
      const { items } = await admin.ask<{ items: { action: string; detailsJson: unknown }[] }>(
        'GET',
        `/api/admin/audits?targetType=USER&targetId=${ann.id}`,
      );
      assert.deepEqual(items[0]?.detailsJson, { totp: false, passkeys: 2 });
    }
  });

  test('stay when the password changes, and are out of reach for app passwords', async () => {
    const ann = await holdall.register('ann');
    const { authenticator } = await addPasskey(ann);
    const program = asProgram(ann, (await createAppPassword(ann)).password);
    await program.refused(403, 1002, 'GET', PASSKEYS);
    await program.refused(403, 1002, 'POST', `${PASSKEYS}/options`);
    await ann.enter('/api/user/password', { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` });
    await logInWith(ann, authenticator);
  });

  test('store the public key alone, which does not allow a login', async () => {
    const ann = await holdall.register('ann');
    const { authenticator } = await addPasskey(ann);
    const row = await db
      .selectFrom('passkey')
      .selectAll()
      .where('account_id', '=', ann.id)
      .executeTakeFirstOrThrow();
    assert.equal(row.credential_id, authenticator.id);
    // A COSE key of the curve P-256: two coordinates of 32 bytes, and no private part.
    assert.equal(Buffer.from(row.public_key, 'base64url').length, 77);
  });

  test('are not offered where browsers have none', async () => {
    const ann = await holdall.register('ann');
    for (const [publicUrl, passkeys] of [
      ['http://192.168.1.5:8080', false],
      ['http://drive.example.org', false],
      ['https://drive.example.org', true],
    ] as const) {
      const { anonymous } = await startHoldall({ beside: holdall, env: { HOLDALL_PUBLIC_URL: publicUrl } });
      const methods = await anonymous.ask<{ passkeys: boolean }>('GET', '/api/auth/methods');
      assert.equal(methods.passkeys, passkeys, publicUrl);
      if (passkeys) continue;
      await anonymous.refused(404, 1003, 'POST', `${PASSKEY_LOGIN}/options`);
      await anonymous.with(ann.login).refused(404, 1003, 'POST', `${PASSKEYS}/options`);
    }
  });
});
