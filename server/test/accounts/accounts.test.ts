// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN_PASSWORD, startHoldall } from '../support/app/holdall.ts';
import { applicationOf, type LoginState, PASSWORD, Person } from '../support/app/person.ts';

const USER_MEMBERS = [
  'avatarUrl',
  'bio',
  'createdAt',
  'displayName',
  'email',
  'emailVerified',
  'entryCount',
  'firstStepsHidden',
  'id',
  'keptBytes',
  'maxEntries',
  'maxKeptBytes',
  'maxUploadSizeBytes',
  'mustChangePassword',
  'phoneNumber',
  'preferredLanguage',
  'role',
  'storageQuotaBytes',
  'storageUsedBytes',
  'username',
];

describe('registration', async () => {
  const holdall = await startHoldall();
  const { anonymous, inviteCode } = holdall;
  let count = 0;
  const newRegistration = async (changes: Record<string, unknown> = {}) => {
    count += 1;
    return { ...applicationOf(`applicant-${count}`, await inviteCode()), ...changes };
  };
  const assertRejected = (status: number, code: number, body: unknown) =>
    anonymous.refused(status, code, 'POST', '/api/auth/register', { body });

  test('the invite code allows a registration: an account, a login and the default directories', async () => {
    const body = await newRegistration({ email: 'Ann@Example.org', phoneNumber: '+49 (30) 1234-5678' });
    const login = await anonymous.ask<LoginState>('POST', '/api/auth/register', { body });
    assert.deepEqual(Object.keys(login).sort(), [
      'accessToken',
      'expiresIn',
      'mustChangePassword',
      'refreshToken',
      'token',
      'user',
    ]);
    assert.equal(login.token, login.accessToken);
    assert.equal(login.expiresIn, 900);
    assert.match(login.refreshToken, /^[\w-]{43}$/, '256 bits');
    assert.deepEqual(Object.keys(login.user).sort(), USER_MEMBERS);
    const { id, createdAt, ...user } = login.user;
    assert(Number.isSafeInteger(id) && id > 0);
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(user, {
      username: body.username,
      displayName: body.username,
      email: 'Ann@Example.org',
      emailVerified: false,
      phoneNumber: '+493012345678',
      bio: null,
      preferredLanguage: null,
      avatarUrl: null,
      role: 'USER',
      mustChangePassword: false,
      storageQuotaBytes: 50 * 1024 ** 3,
      storageUsedBytes: 0,
      keptBytes: 0,
      firstStepsHidden: false,
      maxKeptBytes: 50 * 1024 ** 3,
      maxUploadSizeBytes: 10 * 1024 ** 3,
      maxEntries: 1_000_000,
      entryCount: 3,
    });
    const person = anonymous.with(login);
    assert.deepEqual(await person.names('/'), ['Documents', 'Downloads', 'Pictures']);
    assert.deepEqual(await person.ask('GET', '/api/user/profile'), login.user);
  });

  test('the invite code changes after use', async () => {
    const code = await inviteCode();
    await holdall.register();
    assert.notEqual(await inviteCode(), code);
    await assertRejected(400, 1003, await newRegistration({ inviteCode: code }));
  });

  test('a rejected registration does not use up the invite code', async () => {
    const taken = await holdall.register();
    const code = await inviteCode();
    await assertRejected(400, 1003, await newRegistration({ inviteCode: 'wrong' }));
    await assertRejected(400, 1003, await newRegistration({ inviteCode: '' }));
    await assertRejected(400, 1003, await newRegistration({ inviteCode: `${code} ` }));
    await assertRejected(409, 1003, await newRegistration({ username: taken.username }));
    await assertRejected(400, 1000, await newRegistration({ password: 'short', confirmPassword: 'short' }));
    assert.equal(await inviteCode(), code);
  });

  test('username, e-mail address and phone number are unique; the first two ignore case', async () => {
    const first = await newRegistration({ phoneNumber: '+1 555 0100' });
    await anonymous.ask('POST', '/api/auth/register', { body: first });
    const username = await assertRejected(
      409,
      1003,
      await newRegistration({ username: first.username.toUpperCase() }),
    );
    assert.match(username.msg, /username/);
    const email = await assertRejected(
      409,
      1003,
      await newRegistration({ email: first.email.toUpperCase() }),
    );
    assert.match(email.msg, /e-mail/);
    const phone = await assertRejected(409, 1003, await newRegistration({ phoneNumber: '+1-555-0100' }));
    assert.match(phone.msg, /phone/);
  });

  test('only the first fault is reported, in the order body, username, e-mail, phone, invite code', async () => {
    const first = await newRegistration();
    await anonymous.ask('POST', '/api/auth/register', { body: first });
    const again = { ...first, inviteCode: 'wrong' };
    assert.match((await assertRejected(409, 1003, again)).msg, /username/);
    assert.match((await assertRejected(409, 1003, { ...again, username: 'another-1' })).msg, /e-mail/);
    const ownEmail = { ...again, username: 'another-1', email: 'another-1@example.org' };
    assert.match((await assertRejected(409, 1003, ownEmail)).msg, /phone/);
    assert.match(
      (await assertRejected(400, 1003, { ...ownEmail, phoneNumber: '5550199' })).msg,
      /invite code/,
    );
    assert.match(
      (await assertRejected(400, 1000, { ...again, confirmPassword: 'other' })).msg,
      /not the same/,
    );
  });

  test('invalid values are rejected before anything else', async () => {
    const broken = {
      username: ['ab', 'x'.repeat(65), 'with blank', 'ünder', 7, null, undefined],
      email: [
        'nobody',
        'a@b',
        '@example.org',
        'a b@example.org',
        `${'x'.repeat(120)}@example.org`,
        undefined,
      ],
      phoneNumber: ['', '1234', '9'.repeat(21), 'call me', undefined],
      password: ['1234567', 'x'.repeat(129), 'password1', 'PassWord1', undefined],
      inviteCode: [7, undefined],
    };
    for (const [member, values] of Object.entries(broken)) {
      for (const value of values) {
        const both = member === 'password' ? { confirmPassword: value } : {};
        await assertRejected(400, 1000, await newRegistration({ [member]: value, ...both }));
      }
    }
    const same = 'the-same-as-that';
    await assertRejected(
      400,
      1000,
      await newRegistration({
        username: same,
        password: same.toUpperCase(),
        confirmPassword: same.toUpperCase(),
      }),
    );
    await assertRejected(400, 1000, await newRegistration({ confirmPassword: `${PASSWORD}!` }));
    await assertRejected(400, 1000, await newRegistration({ confirmPassword: undefined }));
    await assertRejected(400, 1000, []);
    await assertRejected(400, 1000, undefined);
    await anonymous.refused(400, 1000, 'POST', '/api/auth/register', {
      body: '{"username":',
      headers: { 'content-type': 'application/json' },
    });
  });

  test('a form is accepted like JSON, and unknown members are ignored', async () => {
    const form = new URLSearchParams(await newRegistration());
    await anonymous.ask('POST', '/api/auth/register', { body: form });
    await anonymous.ask('POST', '/api/auth/register', {
      body: await newRegistration({ role: 'ADMIN', id: 1 }),
    });
    assert.equal((await new Person(`applicant-${count}`, holdall.url).logIn()).login?.user.role, 'USER');
  });
});

describe('settings for new accounts', () => {
  test('new accounts get the configured quota, upload size and directories', async () => {
    const holdall = await startHoldall({
      env: {
        HOLDALL_DEFAULT_QUOTA_BYTES: '1000',
        HOLDALL_DEFAULT_MAX_UPLOAD_BYTES: '100',
        HOLDALL_DEFAULT_MAX_ENTRIES: '30',
        HOLDALL_DEFAULT_DIRECTORIES: 'Inbox,Archive',
        HOLDALL_ADMIN_USERNAME: 'Root.User',
        HOLDALL_INVITE_CODE: 'the first!',
      },
    });
    assert.equal(await holdall.inviteCode(), 'the first!');
    const ann = await holdall.register('ann');
    assert.equal(ann.login?.user.storageQuotaBytes, 1000);
    assert.equal(ann.login?.user.maxUploadSizeBytes, 100);
    assert.equal(ann.login?.user.maxEntries, 30);
    assert.equal(ann.login?.user.entryCount, 2);
    assert.deepEqual(await ann.names(), ['Archive', 'Inbox']);
    const root = await new Person('root.user', holdall.url).logIn(ADMIN_PASSWORD);
    assert.equal(root.login?.user.role, 'ADMIN');
    assert.equal(root.login?.user.username, 'Root.User');
    assert.deepEqual(await root.names(), ['Archive', 'Inbox']);
  });
});

describe('the profile', async () => {
  const holdall = await startHoldall();
  const change = (person: Person, body: unknown) =>
    person.ask<Record<string, unknown>>('PUT', '/api/user/profile', { body });

  test('needs a login', async () => {
    await holdall.anonymous.refused(401, 1001, 'GET', '/api/user/profile');
    await holdall.anonymous.refused(401, 1001, 'PUT', '/api/user/profile', { body: {} });
  });

  test('only the members that are sent change', async () => {
    const ann = await holdall.register('ann');
    const before = await ann.ask<Record<string, unknown>>('GET', '/api/user/profile');
    const changed = await change(ann, {
      displayName: ' Ann Ä. ',
      bio: 'Two\nlines',
      preferredLanguage: 'pt-br',
      role: 'ADMIN',
      username: 'somebody',
      storageQuotaBytes: 1,
    });
    assert.deepEqual(changed, {
      ...before,
      displayName: 'Ann Ä.',
      bio: 'Two\nlines',
      preferredLanguage: 'pt-BR',
    });
    assert.deepEqual(await change(ann, {}), changed);
    const moved = await change(ann, { email: 'New@Example.org', phoneNumber: '0 30-12345' });
    assert.deepEqual(moved, { ...changed, email: 'New@Example.org', phoneNumber: '03012345' });
    assert.deepEqual(await ann.ask('GET', '/api/user/profile'), moved);
  });

  test('null clears an optional value, so others can use it', async () => {
    const ann = await holdall.register('ann');
    const bob = await holdall.register('bob');
    const { email, phoneNumber } = await ann.ask<Record<string, string>>('GET', '/api/user/profile');
    await change(ann, { bio: 'x', preferredLanguage: 'de' });
    const cleared = await change(ann, { email: null, phoneNumber: null, bio: null, preferredLanguage: null });
    for (const member of ['email', 'phoneNumber', 'bio', 'preferredLanguage']) {
      assert.equal(cleared[member], null, member);
    }
    await change(bob, { email, phoneNumber });
    assert.equal((await change(ann, { bio: '  ', preferredLanguage: '' })).bio, null);
  });

  test('another user’s e-mail address or phone number is a conflict, one’s own is not', async () => {
    const ann = await holdall.register('ann');
    const bob = await holdall.register('bob');
    const taken = await bob.ask<Record<string, string>>('GET', '/api/user/profile');
    const before = await ann.ask<Record<string, string>>('GET', '/api/user/profile');
    const body = { displayName: 'Never', email: taken.email?.toUpperCase() };
    assert.match((await ann.refused(409, 1003, 'PUT', '/api/user/profile', { body })).msg, /e-mail/);
    const phone = { phoneNumber: taken.phoneNumber };
    assert.match((await ann.refused(409, 1003, 'PUT', '/api/user/profile', { body: phone })).msg, /phone/);
    assert.deepEqual(await ann.ask('GET', '/api/user/profile'), before);
    await change(ann, { email: before.email?.toUpperCase(), phoneNumber: before.phoneNumber });
  });

  test('invalid values are rejected', async () => {
    const ann = await holdall.register('ann');
    const bodies = [
      ...[{ displayName: '' }, { displayName: ' ' }, { displayName: 'x'.repeat(65) }, { displayName: null }],
      ...[{ email: '' }, { email: 'nobody' }, { email: 7 }, { phoneNumber: '12' }, { phoneNumber: '' }],
      ...[{ bio: 'x'.repeat(281) }, { bio: 'a\0b' }, { preferredLanguage: 'no such tag!' }, [], 'x'],
    ];
    for (const body of bodies) {
      await ann.refused(400, 1000, 'PUT', '/api/user/profile', {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    }
  });
});

describe('dev-login', async () => {
  const holdall = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
  const { anonymous } = holdall;
  const devLogIn = (body?: unknown, query = '') =>
    anonymous.ask<LoginState>('POST', `/api/auth/dev-login${query}`, { body });

  test('creates the user dev as an admin if it gets no parameters', async () => {
    const login = await devLogIn();
    assert.equal(login.user.username, 'dev');
    assert.equal(login.user.role, 'ADMIN');
    const dev = anonymous.with(login);
    assert.deepEqual(await dev.names(), ['Documents', 'Downloads', 'Pictures']);
    assert.equal((await devLogIn({})).user.id, login.user.id);
    await dev.refused(401, 1001, 'GET', '/api/user/profile');
  });

  test('name and role are read from a JSON body, a form or the query', async () => {
    assert.equal((await devLogIn({ username: 'moderator' })).user.role, 'MODERATOR');
    assert.equal((await devLogIn(undefined, '?username=someone')).user.role, 'USER');
    assert.equal((await devLogIn({ username: 'boss', role: 'ADMIN' })).user.role, 'ADMIN');
    const form = new URLSearchParams({ username: 'form-user', role: 'MODERATOR' });
    assert.equal((await devLogIn(form)).user.role, 'MODERATOR');
    assert.equal((await devLogIn({ username: 'BOSS', role: 'USER' })).user.role, 'ADMIN', 'known ones stay');
    await anonymous.refused(400, 1000, 'POST', '/api/auth/dev-login', { body: { role: 'KING' } });
    await anonymous.refused(400, 1000, 'POST', '/api/auth/dev-login?username=x');
  });

  test('can log in as the admin that the first start created', async () => {
    const admin = await holdall.admin();
    assert.equal((await devLogIn({ username: 'admin' })).user.id, admin.id);
  });

  test('an account without a password can only be used with dev-login', async () => {
    const dev = anonymous.with(await devLogIn({ username: 'no-password' }));
    for (const password of ['', 'null', PASSWORD]) {
      await anonymous.refused(401, 1001, 'POST', '/api/auth/login', {
        body: { username: 'no-password', password },
      });
    }
    const body = { currentPassword: '', newPassword: 'a long new password' };
    await dev.refused(400, 1003, 'POST', '/api/user/password', { body });
  });
});
