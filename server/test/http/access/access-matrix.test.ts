// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { MountedRoute } from '../../../src/http/access.ts';
import { asAdmin } from '../../support/app/admin.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { Person } from '../../support/app/person.ts';
import { listApiRoutes } from '../../support/http/api-routes.ts';
import { isServed, sendExample } from '../../support/http/example-request.ts';

/** What callers can do besides public calls while they lack a required second factor. */
const BEFORE_SECOND_FACTOR: readonly RegExp[] = [
  /^POST \/api\/auth\/logout$/,
  /^GET \/api\/user\/(?:profile|security)$/,
  /^\w+ \/api\/user\/(?:totp|passkeys|identities)(?:\/|$)/,
];
/** What callers can do besides public calls while they must change their password. */
const BEFORE_PASSWORD_CHANGE: readonly string[] = [
  'POST /api/auth/logout',
  'GET /api/user/profile',
  'POST /api/user/password',
];
/** Routes by which people without a login may change something. */
const OPEN_TO_EVERYONE = /^\/api\/(?:auth|v2\/(?:shares|folder-links)\/:token|(?:v2\/)?transfer)\//;
/** Calls that end the session of their caller. */
const ENDS_SESSION = /^\/api\/(?:auth\/(?:logout|dev-login)|user\/password)$/;

/** `waiting` accounts lack a required second factor. `expired` ones have an expired access token. */
const ROLES = [
  'public',
  'user',
  'moderator',
  'admin',
  'waiting',
  'waiting-admin',
  'banned',
  'expired',
] as const;
type Role = (typeof ROLES)[number];

const env = { HOLDALL_DEV_LOGIN: 'true', HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const shortLived = await startHoldall({ beside: holdall, env: { ...env, HOLDALL_ACCESS_TOKEN_TTL: '2s' } });
const strict = await startHoldall({
  beside: holdall,
  env: { ...env, HOLDALL_REQUIRE_SECOND_FACTOR: 'all' },
});
const root = await holdall.admin();
const routes = listApiRoutes(holdall.app.server);
assert.ok(routes.length > 200, `only ${routes.length} routes`);

/** Their requests are rejected like those of other roles, so they are tested only with `--full`. */
const SIMILAR_ROLES: readonly Role[] = ['waiting-admin', 'expired'];

for (const role of ROLES) {
  const options = SIMILAR_ROLES.includes(role) ? inFull : {};
  test(`every route gives the expected status to the role ${role}`, options, async () => {
    const faults: string[] = [];
    let caller = await logIn(role);
    for (const route of routes) {
      const answered = await call(caller, route);
      const expected = expectedAnswer(route, role);
      if (answered !== expected) faults.push(`${route.method} ${route.url}: ${answered}, not ${expected}`);
      if (ENDS_SESSION.test(route.url) && !['banned', 'expired'].includes(role)) caller = await logIn(role);
    }
    assert.deepEqual(faults, []);
  });
}

test('the routes of the administration are for administrators, and no others are', () => {
  for (const { method, url, access } of routes)
    assert.equal(access === 'admin', url.startsWith('/api/admin/'), `${method} ${url}`);
});

test('people without a login change something only by logging in, through links and in transfers', () => {
  const changing = routes.filter(
    ({ method, access }) => access === 'public' && !['GET', 'HEAD', 'OPTIONS'].includes(method),
  );
  for (const { method, url } of changing) assert.match(url, OPEN_TO_EVERYONE, method);
});

test('a caller who lacks a required second factor can only set one up', () => {
  for (const { operation } of routes) {
    if (operation === undefined) continue;
    const { name, beforeSecondFactor = false } = operation;
    const isSetUp = BEFORE_SECOND_FACTOR.some((pattern) => pattern.test(name));
    assert.equal(beforeSecondFactor, isSetUp, name);
  }
});

test('a caller who must change the password can only do that', () => {
  for (const { operation } of routes) {
    if (operation === undefined) continue;
    const { name, beforePasswordChange = false } = operation;
    assert.equal(beforePasswordChange, BEFORE_PASSWORD_CHANGE.includes(name), name);
  }
});

async function logIn(role: Role): Promise<Person> {
  if (role === 'public') return holdall.anonymous;
  const server = role.startsWith('waiting') ? strict : role === 'expired' ? shortLived : holdall;
  const grantedRole = role === 'moderator' ? 'MODERATOR' : role.endsWith('admin') ? 'ADMIN' : 'USER';
  const body = { username: `some-${role}`, role: grantedRole };
  const person = await new Person(body.username, server.url).enter('/api/auth/dev-login', body);
  if (role === 'banned') await asAdmin(root).user(person, 'status', { banned: true });
  if (role === 'expired') holdall.clock.advance(3_000);
  return person.with(person.login);
}

/** Returns `served`, or the status and the code of the rejection. */
function expectedAnswer(route: MountedRoute, role: Role): string {
  const status = refusalOf(route, role);
  return status === undefined ? 'served' : `${status}${expectedCode(route, status)}`;
}

function refusalOf(route: MountedRoute, role: Role): 401 | 403 | undefined {
  const { access, operation } = route;
  if (access === 'public') return undefined;
  if (role.startsWith('waiting')) return operation?.beforeSecondFactor ? undefined : 403;
  if (role === 'public' || role === 'banned' || role === 'expired') return 401;
  return access === 'admin' && role === 'user' ? 403 : undefined;
}

/** Returns the error code of the API family. A rejected HEAD has none, because it has no body. */
function expectedCode({ method, url }: MountedRoute, status: 401 | 403): string {
  if (method === 'HEAD') return '';
  if (url.startsWith('/api/v2/')) return ` ${2_000 + status}`;
  return status === 401 ? ' 1001' : ' 1002';
}

async function call(caller: Person, route: MountedRoute): Promise<string> {
  const response = await sendExample(caller, route);
  const { status } = response;
  if (isServed(route, status) || route.method === 'HEAD') {
    await response.body?.cancel();
    return isServed(route, status) ? 'served' : String(status);
  }
  const { code, data } = JSON.parse(await response.text());
  assert.equal(data, null);
  return `${status} ${code}`;
}
