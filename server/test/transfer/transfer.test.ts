// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { IceServer } from '../../src/transfer/ice-servers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { join, lookUp, ONE_FILE, openOnline, TRANSFERS, withToken } from '../support/transfer/transfer.ts';

const MINUTE = 60_000;
const ICE_SERVERS = [{ urls: 'stun:stun.example.org' }, { urls: ['turn:turn.example.org'], secret: 'north' }];

const holdall = await startHoldall({
  env: { HOLDALL_TRUST_PROXY: 'on', HOLDALL_ICE_SERVERS: JSON.stringify(ICE_SERVERS) },
});
const { anonymous, clock } = holdall;
const alice = await holdall.register('alice');

let lastAddress = 0;
/** A new client address, without failed guesses. */
function fromNewAddress() {
  lastAddress += 1;
  return { headers: { 'x-forwarded-for': `203.0.113.${lastAddress}` } };
}

describe('an ONLINE session', () => {
  test('can be created without a login, and shows what was announced', async () => {
    const files = [
      { name: 'a.txt', relativePath: 'trip/2030/a.txt', size: 0, contentType: 'TEXT/plain' },
      { filename: 'b', size: 7 },
      { name: 'c', relativePath: '', size: 1, contentType: 'no type' },
    ];
    const made = await openOnline(anonymous, { files });
    const { sessionId, pickupCode, peerToken, expiresAt, createdAt, ...rest } = made;
    assert.match(pickupCode, /^[2-9A-HJ-NP-Z]{6}$/);
    assert.match(peerToken, /^[\w-]{22}$/);
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 15 * MINUTE);
    const unnamed = { encryptedName: null, relativePath: null, contentType: null, uploaded: false };
    assert.deepEqual(rest, {
      mode: 'ONLINE',
      status: 'WAITING',
      encrypted: false,
      salt: null,
      files: [
        {
          id: made.files[0]?.id,
          name: 'a.txt',
          encryptedName: null,
          relativePath: 'trip/2030/a.txt',
          size: 0,
          contentType: 'text/plain',
          uploaded: false,
        },
        { ...unnamed, id: made.files[1]?.id, name: 'b', size: 7 },
        { ...unnamed, id: made.files[2]?.id, name: 'c', size: 1 },
      ],
    });
    const { peerToken: _, ...shown } = made;
    const found = await lookUp(anonymous, pickupCode, fromNewAddress());
    assert.deepEqual(found.data, shown, 'the lookup shows the same, without the token');
    assert.equal(found.data.sessionId, sessionId);
  });

  test('has up to 1,000 files, in the order of their announcement', async () => {
    const files = Array.from({ length: 1_001 }, (_, index) => ({ name: `file ${index}`, size: index }));
    const made = await openOnline(anonymous, { files: files.slice(0, 1_000) });
    const { data } = await lookUp(anonymous, made.pickupCode, fromNewAddress());
    assert.deepEqual(
      data.files.map(({ name, size }) => ({ name, size })),
      files.slice(0, 1_000),
    );
    await anonymous.refused(400, 1000, 'POST', TRANSFERS, { body: { mode: 'ONLINE', files } });
  });

  const malformed: Readonly<Record<string, object>> = {
    'no mode': { files: ONE_FILE },
    'another mode': { mode: 'online', files: ONE_FILE },
    'no files': { mode: 'ONLINE' },
    'an empty list': { mode: 'ONLINE', files: [] },
    'a file without a name': { mode: 'ONLINE', files: [{ size: 1 }] },
    'a name that is a path': { mode: 'ONLINE', files: [{ name: '../a', size: 1 }] },
    'a path that leaves the directory': {
      mode: 'ONLINE',
      files: [{ name: 'a', relativePath: 'x/../../a', size: 1 }],
    },
    'NUL in a path': { mode: 'ONLINE', files: [{ name: 'a', relativePath: 'x/\u0000', size: 1 }] },
    'no size': { mode: 'ONLINE', files: [{ name: 'a' }] },
    'a negative size': { mode: 'ONLINE', files: [{ name: 'a', size: -1 }] },
    'a size above 2^53': { mode: 'ONLINE', files: [{ name: 'a', size: 2 ** 53 }] },
    'a flag that is text': { mode: 'ONLINE', files: ONE_FILE, requirePeerToken: 'yes' },
  };
  for (const [what, body] of Object.entries(malformed)) {
    test(`${what} is rejected`, async () => {
      await anonymous.refused(400, 1000, 'POST', TRANSFERS, { body });
    });
  }

  test('can be joined once; a second receiver is rejected', async () => {
    const made = await openOnline(anonymous);
    const joined = await join(anonymous, made);
    assert.deepEqual([joined.status, joined.sessionId, joined.files], ['JOINED', made.sessionId, made.files]);
    assert.notEqual(joined.peerToken, made.peerToken);
    await anonymous.refused(409, 1003, 'POST', `${TRANSFERS}/${made.sessionId}/join`);
    assert.equal((await lookUp(anonymous, made.pickupCode, fromNewAddress())).data.status, 'JOINED');
  });

  test('can be ended by its sender only: by the login that created it, or by the token', async () => {
    const byLogin = await openOnline(alice);
    const byToken = await openOnline(anonymous);
    const receiver = await join(anonymous, byLogin);
    const url = `${TRANSFERS}/${byLogin.sessionId}`;
    await anonymous.refused(403, 1002, 'DELETE', url);
    await anonymous.refused(403, 1002, 'DELETE', url, withToken(receiver.peerToken));
    await (await holdall.register('bob')).refused(403, 1002, 'DELETE', url);
    await alice.refused(403, 1002, 'DELETE', `${TRANSFERS}/${byToken.sessionId}`);
    assert.equal(await alice.ask('DELETE', url), null);
    await anonymous.ask('DELETE', `${TRANSFERS}/${byToken.sessionId}`, withToken(byToken.peerToken));
    for (const { sessionId, pickupCode } of [byLogin, byToken]) {
      await anonymous.refused(404, 1003, 'POST', `${TRANSFERS}/${sessionId}/join`);
      await alice.refused(404, 1003, 'DELETE', `${TRANSFERS}/${sessionId}`);
      assert.equal((await lookUp(anonymous, pickupCode, fromNewAddress())).status, 404);
    }
  });

  test('answers 404 to every call after 15 minutes, and the clean-up deletes its rows', async () => {
    const made = await openOnline(alice);
    const url = `${TRANSFERS}/${made.sessionId}`;
    clock.advance(14 * MINUTE);
    assert.equal((await lookUp(anonymous, made.pickupCode, fromNewAddress())).status, 200);
    clock.advance(MINUTE);
    await alice.logIn();
    assert.equal((await lookUp(anonymous, made.pickupCode, fromNewAddress())).status, 404);
    await anonymous.refused(404, 1003, 'POST', `${url}/join`);
    await anonymous.refused(404, 1003, 'GET', `${url}/signals`);
    await anonymous.refused(404, 1003, 'POST', `${url}/signals?role=sender`, { body: { type: 'x' } });
    await alice.refused(404, 1003, 'DELETE', url);
    const fresh = await openOnline(anonymous);
    await holdall.app.cleanUp();
    const left = await holdall.app.database.db
      .selectFrom('transfer_session')
      .innerJoin('transfer_file', 'session_id', 'transfer_session.id')
      .select('transfer_session.id')
      .execute();
    assert.deepEqual(left, [{ id: fresh.sessionId }]);
  });

  test('is not found by an unknown id; a malformed id is rejected', async () => {
    await anonymous.refused(400, 1000, 'POST', `${TRANSFERS}/17/join`);
    await anonymous.refused(404, 1003, 'POST', `${TRANSFERS}/${randomUUID()}/join`);
  });
});

describe('an OFFLINE session', () => {
  test('requires a login', async () => {
    await anonymous.refused(401, 1001, 'POST', TRANSFERS, { body: { mode: 'OFFLINE', files: ONE_FILE } });
  });
});

describe('a pickup code', () => {
  test('is accepted in any case, with spaces and dashes', async () => {
    const { pickupCode: code, sessionId } = await openOnline(anonymous);
    for (const typed of [code.toLowerCase(), ` ${code.slice(0, 3)}-${code.slice(3)} `, [...code].join(' ')]) {
      assert.equal((await lookUp(anonymous, typed, fromNewAddress())).data.sessionId, sessionId);
    }
  });

  test('gets the same answer whether it is wrong, expired or impossible', async () => {
    const ended = await openOnline(anonymous);
    await anonymous.ask('DELETE', `${TRANSFERS}/${ended.sessionId}`, withToken(ended.peerToken));
    const answers = await Promise.all(
      [ended.pickupCode, '222222', 'OOOIII'].map((code) => lookUp(anonymous, code, fromNewAddress())),
    );
    assert.deepEqual(
      answers.map(({ status, code, msg }) => [status, code, msg]),
      answers.map(() => [404, 1003, 'There is no transfer with this pickup code, or it has ended.']),
    );
    await anonymous.refused(400, 1000, 'GET', `${TRANSFERS}/lookup`);
    await anonymous.refused(400, 1000, 'GET', `${TRANSFERS}/lookup?pickupCode=ABC`);
  });

  test('is rejected from an address with 20 wrong guesses in a minute, even if it is right', async () => {
    const made = await openOnline(anonymous);
    const here = fromNewAddress();
    for (let guess = 0; guess < 20; guess += 1) {
      assert.equal((await lookUp(anonymous, '222222', here)).status, 404);
    }
    const refused = await lookUp(anonymous, made.pickupCode, here);
    assert.deepEqual([refused.status, refused.code], [429, 1429]);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.equal((await lookUp(anonymous, made.pickupCode, fromNewAddress())).status, 200);
    clock.advance(MINUTE);
    assert.equal((await lookUp(anonymous, made.pickupCode, here)).status, 200);
  });

  test('is limited per /64 of IPv6 addresses', async () => {
    const from = (end: string) => ({ headers: { 'x-forwarded-for': `2001:db8:1:2::${end}` } });
    for (let guess = 1; guess <= 20; guess += 1) await lookUp(anonymous, '222222', from(guess.toString(16)));
    assert.equal((await lookUp(anonymous, '222222', from('ffff'))).status, 429);
    const next = { headers: { 'x-forwarded-for': '2001:db8:1:3::1' } };
    assert.equal((await lookUp(anonymous, '222222', next)).status, 404);
  });

  test('can still be looked up after 2,000 wrong guesses in a minute, with 3 guesses per address', async () => {
    clock.advance(MINUTE);
    const made = await openOnline(anonymous);
    await lookUp(anonymous, '222222', fromNewAddress());
    // Stands for 1,998 further guesses.
    await holdall.app.database.transact((tx) =>
      tx
        .updateTable('credential_attempt')
        .set({ failures: 1_999 })
        .where('key', '=', 'pickup-codes-in-all:all')
        .execute(),
    );
    assert.equal((await lookUp(anonymous, '222222', fromNewAddress())).status, 404);
    const here = fromNewAddress();
    for (let guess = 0; guess < 2; guess += 1) {
      assert.equal((await lookUp(anonymous, '222222', here)).status, 404);
      assert.equal((await lookUp(anonymous, made.pickupCode, here)).status, 200);
    }
    assert.equal((await lookUp(anonymous, '222222', here)).status, 404);
    assert.equal((await lookUp(anonymous, made.pickupCode, here)).status, 429);
    assert.equal((await lookUp(anonymous, made.pickupCode, fromNewAddress())).status, 200);
    clock.advance(MINUTE);
    for (let guess = 0; guess < 4; guess += 1) {
      assert.equal((await lookUp(anonymous, '222222', here)).status, 404);
    }
  });
});

describe('ICE servers', () => {
  const STUN = { urls: ['stun:stun.example.org'] };
  const list = (person: Person, query = '') =>
    person.ask<{ iceServers: IceServer[] }>('GET', `/api/transfer/ice-servers${query}`);

  test('have a credential of the transfer session for an hour, and not the shared secret', async () => {
    const { sessionId } = await openOnline(anonymous);
    const { iceServers } = await list(anonymous, `?sessionId=${sessionId}`);
    assert.deepEqual(iceServers[0], STUN);
    const [expiry, session] = iceServers[1]?.username?.split(':') ?? [];
    assert.equal(session, sessionId);
    const secondsLeft = Number(expiry) - clock.now() / 1_000;
    assert.ok(secondsLeft > 3_500 && secondsLeft <= 3_600, `${secondsLeft}`);
    assert.doesNotMatch(JSON.stringify(iceServers), /north|secret/);
    assert.deepEqual(Object.keys(iceServers[1] ?? {}), ['urls', 'username', 'credential']);
  });

  test('have a credential of the login session if there is no transfer session', async () => {
    const { iceServers } = await list(alice);
    assert.match(iceServers[1]?.username ?? '', /^\d{10}:[\w-]+$/);
  });

  test('include no relay for strangers without a session', async () => {
    assert.deepEqual((await list(anonymous)).iceServers, [STUN]);
    const ended = '00000000-0000-4000-8000-000000000000';
    await anonymous.refused(404, 1003, 'GET', `/api/transfer/ice-servers?sessionId=${ended}`);
    await anonymous.refused(400, 1000, 'GET', '/api/transfer/ice-servers?sessionId=x');
  });
});
