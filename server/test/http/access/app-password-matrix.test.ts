// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppPasswordScope } from '../../../src/base/domain/accounts.ts';
import { asProgram, createAppPassword } from '../../support/app/app-passwords.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { listApiRoutes } from '../../support/http/api-routes.ts';
import { isServed, nameOf, sendExample } from '../../support/http/example-request.ts';

/** The routes of administration, accounts and logins. */
const CLOSED = /^\/api\/(?:admin|auth|user)\//;
/** The closed routes that app passwords may read. */
const READABLE = ['GET /api/auth/methods', 'GET /api/user/profile', 'GET /api/user/avatar/content'];

const holdall = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true', HOLDALL_RATE_LIMITS: 'off' } });
// An admin, so that rejections are due to the app password and not to the role.
const admin = await holdall.admin();
const routes = listApiRoutes(holdall.app.server);
assert.ok(routes.length > 200, `only ${routes.length} routes`);

test('an app password can show its account, and do nothing else with accounts, logins and administration', () => {
  for (const route of routes.filter(({ url }) => CLOSED.test(url))) {
    const name = nameOf(route);
    assert.equal(route.appPassword, READABLE.includes(name) ? 'read' : 'never', name);
  }
});

test('only accounts, logins, administration, notifications, changes of drives, other people and offers to devices are closed to every app password', () => {
  const closed = routes.filter(({ url, appPassword }) => appPassword === 'never' && !CLOSED.test(url));
  assert.deepEqual(closed.map(nameOf).sort(), [
    'DELETE /api/v2/drives/{id}',
    'DELETE /api/v2/drives/{id}/members/{accountId}',
    'DELETE /api/v2/transfer/sessions/{sessionId}/offer',
    // Also as HEAD.
    'GET /api/v2/notifications',
    'GET /api/v2/notifications',
    'GET /api/v2/people',
    'GET /api/v2/people',
    'PATCH /api/v2/drives/{id}',
    'PATCH /api/v2/drives/{id}/members/{accountId}',
    'POST /api/v2/drives',
    'POST /api/v2/drives/{id}/members',
    'POST /api/v2/drives/{id}/restore',
    'POST /api/v2/notifications/read',
    'POST /api/v2/transfer/sessions/{sessionId}/offer',
  ]);
});

test('a READ app password can only call GET, check passwords of links and prepare downloads', () => {
  const other = routes.filter(
    ({ method, appPassword }) => appPassword === 'read' && method !== 'GET' && method !== 'HEAD',
  );
  assert.deepEqual(other.map(nameOf).sort(), [
    'POST /api/v2/downloads',
    'POST /api/v2/folder-links/{token}/downloads',
    'POST /api/v2/folder-links/{token}/verify-password',
    'POST /api/v2/shares/{token}/verify-password',
  ]);
});

test('a READ app password is refused by every route but those that change nothing', () =>
  assertRefusals('READ', ['write', 'never']));

test('a WRITE app password is refused by the routes of administration, account and logins', () =>
  assertRefusals('WRITE', ['never']));

test('a wrong app password is rejected where a login is needed, and is anonymous elsewhere', async () => {
  const stranger = asProgram(holdall.anonymous, `hda_${'0'.repeat(32)}`);
  for (const route of routes) {
    const { status } = await call(stranger, route);
    const isRefused = status === 401 && !isServed(route, status);
    assert.equal(isRefused, route.access !== 'public', `${route.method} ${route.url}`);
  }
});

async function assertRefusals(scope: AppPasswordScope, refused: readonly string[]): Promise<void> {
  const { password } = await createAppPassword(admin, { scope });
  const program = asProgram(admin, password);
  const faults: string[] = [];
  for (const route of routes) {
    const { status, text } = await call(program, route);
    const hasReason = route.method === 'HEAD' ? !isServed(route, status) : text.includes('app password');
    const isRefused = status === 403 && hasReason;
    const isRight = refused.includes(route.appPassword) ? isRefused : !isRefused && isServed(route, status);
    if (!isRight) faults.push(`${route.method} ${route.url}: ${status}`);
  }
  assert.deepEqual(faults, []);
}

type Route = (typeof routes)[number];

async function call(caller: Person, route: Route): Promise<{ status: number; text: string }> {
  const response = await sendExample(caller, route);
  const { status } = response;
  if (status === 403) return { status, text: await response.text() };
  // The body may be an endless stream.
  await response.body?.cancel();
  return { status, text: '' };
}
