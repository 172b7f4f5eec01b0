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
import { pathWithUnknownIds, RouteTable } from '../../support/http/route-table.ts';

/**
 * The status that each route gives to a caller with access, for a request without a body and with ids that do
 * not exist. A new route needs a row here. The status for callers without access follows from the access rule
 * of the route.
 */
const STATUS_WITH_ACCESS = `
  200 GET     /api/openapi.json
  200 GET     /metrics
  200 GET     /
  200 GET     /api/v2/site/ping
  200 GET     /health/live
  200 GET     /health/ready
  400 POST    /api/auth/register
  400 POST    /api/auth/login
  400 POST    /api/auth/second-factor
  200 POST    /api/auth/passkey/options
  400 POST    /api/auth/passkey
  200 GET     /api/auth/methods
  404 GET     /api/auth/oidc/start
  404 GET     /api/auth/oidc/callback
  400 POST    /api/auth/oidc/ticket
  404 POST    /api/user/identities/oidc
  404 DELETE  /api/user/identities/{id}
  400 POST    /api/auth/refresh
  200 POST    /api/auth/logout
  200 POST    /api/auth/dev-login
  200 GET     /api/user/profile
  400 PUT     /api/user/profile
  400 POST    /api/user/password
  200 GET     /api/user/sessions
  404 DELETE  /api/user/sessions/{id}
  200 GET     /api/user/security
  200 GET     /api/user/security/changes
  200 POST    /api/user/totp
  400 POST    /api/user/totp/confirm
  404 POST    /api/user/totp/recovery-codes
  404 DELETE  /api/user/totp
  200 POST    /api/user/passkeys/options
  400 POST    /api/user/passkeys
  200 GET     /api/user/passkeys
  404 DELETE  /api/user/passkeys/{id}
  400 POST    /api/user/app-passwords
  200 GET     /api/user/app-passwords
  404 DELETE  /api/user/app-passwords/{id}
  400 POST    /api/user/avatar/upload/initiate
  400 POST    /api/user/avatar/upload
  400 POST    /api/user/avatar/upload/complete
  404 GET     /api/user/avatar/content
  400 POST    /api/files/mkdir
  200 GET     /api/files/list
  200 GET     /api/files/recent
  404 GET     /api/v2/files/{fileId}
  200 GET     /api/v2/files/starred
  200 GET     /api/v2/files/timeline
  200 GET     /api/v2/files/timeline/months
  404 PUT     /api/v2/files/{fileId}/star
  404 DELETE  /api/v2/files/{fileId}/star
  404 PUT     /api/v2/files/{fileId}/content
  400 GET     /api/v2/files/{fileId}/thumbnail
  404 GET     /api/v2/files/{fileId}/archive
  404 GET     /api/v2/files/{fileId}/versions
  404 GET     /api/v2/files/{fileId}/versions/{versionId}
  404 POST    /api/v2/files/{fileId}/versions/{versionId}/restore
  404 DELETE  /api/v2/files/{fileId}/versions/{versionId}
  400 PATCH   /api/files/{fileId}/rename
  400 PATCH   /api/files/{fileId}/move
  400 POST    /api/files/{fileId}/copy
  404 DELETE  /api/files/{fileId}
  200 GET     /api/files/recycle-bin
  404 POST    /api/files/recycle-bin/{fileId}/restore
  404 DELETE  /api/files/recycle-bin/{fileId}
  200 DELETE  /api/files/recycle-bin
  400 POST    /api/files/upload
  400 POST    /api/files/upload/initiate
  400 POST    /api/files/upload/complete
  400 POST    /api/v2/files/upload-sessions
  404 GET     /api/v2/files/upload-sessions/{sessionId}
  404 DELETE  /api/v2/files/upload-sessions/{sessionId}
  404 GET     /api/v2/files/upload-sessions/{sessionId}/prepare
  404 POST    /api/v2/files/upload-sessions/{sessionId}/content
  404 GET     /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare
  400 PUT     /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}
  404 POST    /api/v2/files/upload-sessions/{sessionId}/complete
  404 GET     /api/files/download/{fileId}
  404 GET     /api/files/download/{fileId}/url
  403 GET     /_dl/*
  400 POST    /api/v2/downloads
  400 GET     /api/v2/downloads
  200 GET     /api/v2/files/search
  200 GET     /api/v2/files/events
  200 GET     /api/v2/files/changes
  200 GET     /api/v2/tasks
  404 GET     /api/v2/tasks/{id}
  404 DELETE  /api/v2/tasks/{id}
  404 POST    /api/v2/tasks/{id}/retry
  400 POST    /api/v2/tasks/archive
  400 POST    /api/v2/tasks/extract
  400 POST    /api/v2/tasks/media-metadata
  404 POST    /api/files/{fileId}/share-links
  404 GET     /api/files/share-links/{token}
  404 POST    /api/files/share-links/{token}/import
  400 POST    /api/v2/shares
  200 GET     /api/v2/shares/mine
  400 PATCH   /api/v2/shares/{id}
  404 DELETE  /api/v2/shares/{id}
  400 POST    /api/v2/folder-links
  200 GET     /api/v2/folder-links/mine
  400 PATCH   /api/v2/folder-links/{id}
  404 DELETE  /api/v2/folder-links/{id}
  404 GET     /api/v2/folder-links/{token}
  400 POST    /api/v2/folder-links/{token}/verify-password
  404 POST    /api/v2/folder-links/{token}/uploads
  404 OPTIONS /api/v2/folder-links/{token}/tus
  404 POST    /api/v2/folder-links/{token}/tus
  404 OPTIONS /api/v2/folder-links/{token}/tus/{sessionId}
  404 HEAD    /api/v2/folder-links/{token}/tus/{sessionId}
  404 PATCH   /api/v2/folder-links/{token}/tus/{sessionId}
  404 POST    /api/v2/folder-links/{token}/tus/{sessionId}
  404 DELETE  /api/v2/folder-links/{token}/tus/{sessionId}
  400 GET     /api/v2/folder-links/{token}/thumbnail
  400 POST    /api/v2/folder-links/{token}/import
  404 GET     /api/v2/folder-links/{token}/entries
  400 GET     /api/v2/folder-links/{token}/download
  400 POST    /api/v2/folder-links/{token}/downloads
  400 GET     /api/v2/folder-links/{token}/downloads
  200 GET     /api/v2/share-links/mine
  404 DELETE  /api/v2/share-links/{id}
  404 GET     /api/v2/shares/{token}
  400 GET     /api/v2/shares/{token}/thumbnail
  400 POST    /api/v2/shares/{token}/verify-password
  404 POST    /api/v2/shares/{token}/import
  400 POST    /api/transfer/sessions
  400 GET     /api/transfer/sessions/lookup
  404 POST    /api/transfer/sessions/{sessionId}/join
  404 DELETE  /api/transfer/sessions/{sessionId}
  404 DELETE  /api/v2/transfer/sessions/{sessionId}/receiver
  200 GET     /api/transfer/ice-servers
  400 POST    /api/v2/transfer/sessions/{sessionId}/offer
  404 DELETE  /api/v2/transfer/sessions/{sessionId}/offer
  404 OPTIONS /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus
  404 POST    /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus
  404 OPTIONS /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  404 HEAD    /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  404 PATCH   /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  404 POST    /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  404 DELETE  /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  400 POST    /api/transfer/sessions/{sessionId}/signals
  404 GET     /api/transfer/sessions/{sessionId}/signals
  200 GET     /api/transfer/sessions/offline/mine
  404 GET     /api/transfer/sessions/{sessionId}/files/{fileId}/download
  404 GET     /api/v2/transfer/sessions/{sessionId}/download
  404 POST    /api/transfer/sessions/{sessionId}/files/{fileId}/import
  200 GET     /api/admin/summary
  200 GET     /api/admin/settings
  200 GET     /api/admin/filesystem
  200 GET     /api/admin/maintenance
  400 PATCH   /api/admin/settings/registration/invite-code
  200 POST    /api/admin/settings/registration/invite-code/rotate
  400 PATCH   /api/admin/settings/registration/account-defaults
  400 PATCH   /api/admin/settings/offline-transfer-storage-limit
  200 GET     /api/admin/audits
  200 GET     /api/admin/users
  400 POST    /api/admin/users
  400 DELETE  /api/admin/users/{userId}
  400 PATCH   /api/admin/users/{userId}/role
  400 PATCH   /api/admin/users/{userId}/status
  400 PUT     /api/admin/users/{userId}/password
  404 POST    /api/admin/users/{userId}/password/reset
  404 DELETE  /api/admin/users/{userId}/second-factors
  404 DELETE  /api/admin/users/{userId}/identities/{identityId}
  400 PATCH   /api/admin/users/{userId}/storage-quota
  400 PATCH   /api/admin/users/{userId}/max-upload-size
  400 PATCH   /api/admin/users/{userId}/max-entries
  200 GET     /api/admin/invites
  400 POST    /api/admin/invites
  404 DELETE  /api/admin/invites/{id}
  200 GET     /api/admin/files
  404 DELETE  /api/admin/files/{fileId}
  200 GET     /api/admin/folder-links
  404 DELETE  /api/admin/folder-links/{linkId}
  200 GET     /api/admin/shares
  404 DELETE  /api/admin/shares/{shareId}
  200 GET     /api/admin/file-blobs
  200 GET     /api/admin/tasks
  404 GET     /api/admin/tasks/{taskId}
  200 GET     /api/admin/storage-policies
  400 POST    /api/admin/storage-policies/migrations
  400 POST    /api/admin/storage-policies
  400 PUT     /api/admin/storage-policies/{policyId}
  400 PATCH   /api/admin/storage-policies/{policyId}/status
  400 PUT     /api/files/upload/content
  204 OPTIONS /api/v2/files/tus
  412 POST    /api/v2/files/tus
  412 HEAD    /api/v2/files/tus/{sessionId}
  404 OPTIONS /api/v2/files/tus/{sessionId}
  412 PATCH   /api/v2/files/tus/{sessionId}
  412 POST    /api/v2/files/tus/{sessionId}
  412 DELETE  /api/v2/files/tus/{sessionId}
  404 POST    /api/transfer/sessions/{sessionId}/files/{fileId}/content
  404 GET     /api/app/android/latest
  404 GET     /api/app/android/download
  404 GET     /api/app/android/download/{fileName}
`;

/** All that a caller can do who must have a second factor and has none, besides what is public. */
const OPEN_WHILE_WAITING = [
  'POST /api/auth/logout',
  'GET /api/user/profile',
  'GET /api/user/security',
  'POST /api/user/totp',
  'POST /api/user/totp/confirm',
  'POST /api/user/totp/recovery-codes',
  'DELETE /api/user/totp',
  'POST /api/user/identities/oidc',
  'DELETE /api/user/identities/:id',
  'POST /api/user/passkeys/options',
  'POST /api/user/passkeys',
  'GET /api/user/passkeys',
  'DELETE /api/user/passkeys/:id',
];

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

const DENIED: readonly number[] = [401, 403];

const env = { HOLDALL_DEV_LOGIN: 'true', HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const shortLived = await startHoldall({ beside: holdall, env: { ...env, HOLDALL_ACCESS_TOKEN_TTL: '2s' } });
const strict = await startHoldall({
  beside: holdall,
  env: { ...env, HOLDALL_REQUIRE_SECOND_FACTOR: 'all' },
});
const root = await holdall.admin();
const routes = listApiRoutes(holdall.app.server);
const table = new RouteTable(STATUS_WITH_ACCESS, routes);

/** Their requests are refused where those of other roles are. */
const SIMILAR_ROLES: readonly Role[] = ['waiting-admin', 'expired'];

for (const role of ROLES) {
  const options = SIMILAR_ROLES.includes(role) ? inFull : {};
  test(`every route gives the expected status to the role ${role}`, options, async () => {
    const answered: string[] = [];
    const expected: string[] = [];
    let caller = await logIn(role);
    for (const route of routes) {
      const status = expectedStatus(route, role);
      answered.push(`${route.method} ${route.url} ${await call(caller, route)}`);
      expected.push(`${route.method} ${route.url} ${status}${expectedCode(route, status)}`);
      // These calls end the session of their caller.
      if (/logout|dev-login/.test(route.url) && !['banned', 'expired'].includes(role))
        caller = await logIn(role);
    }
    assert.ok(answered.length > 80, `only ${answered.length} routes`);
    assert.deepEqual(answered, expected);
  });
}

test('the table has exactly one row for each route', () => {
  assert.deepEqual(table.findDifferences(), []);
});

async function logIn(role: Role): Promise<Person> {
  if (role === 'public') return holdall.anonymous;
  const server = isWaiting(role) ? strict : role === 'expired' ? shortLived : holdall;
  const grantedRole = role === 'moderator' ? 'MODERATOR' : role.endsWith('admin') ? 'ADMIN' : 'USER';
  const body = { username: `some-${role}`, role: grantedRole };
  const person = await new Person(body.username, server.url).enter('/api/auth/dev-login', body);
  if (role === 'banned') await asAdmin(root).user(person, 'status', { banned: true });
  if (role === 'expired') holdall.clock.advance(3_000);
  return person.with(person.login);
}

function expectedStatus(route: MountedRoute, role: Role): number {
  const { access } = route;
  const statusWithAccess = Number(table.valueOf(route));
  if (access === 'public') return statusWithAccess;
  if (isWaiting(role)) {
    const isOpen = OPEN_WHILE_WAITING.includes(`${route.method} ${route.url}`);
    return isOpen || isHeadOfOpen(route) ? statusWithAccess : 403;
  }
  if (role === 'public' || role === 'banned' || role === 'expired') return 401;
  return access === 'admin' && role === 'user' ? 403 : statusWithAccess;
}

function isWaiting(role: Role): boolean {
  return role.startsWith('waiting');
}

function isHeadOfOpen({ method, url }: MountedRoute): boolean {
  return method === 'HEAD' && OPEN_WHILE_WAITING.includes(`GET ${url}`);
}

/** A denied request gets the error code of the API family, except for HEAD, which has no body. */
function expectedCode({ method, url }: MountedRoute, status: number): string {
  if (!DENIED.includes(status) || method === 'HEAD') return '';
  if (url.startsWith('/api/v2/')) return ` ${2_000 + status}`;
  return status === 401 ? ' 1001' : ' 1002';
}

async function call(caller: Person, route: MountedRoute): Promise<string> {
  const { method } = route;
  const response = await caller.fetch(method, pathWithUnknownIds(route));
  const { status } = response;
  if (!DENIED.includes(status) || method === 'HEAD') {
    await response.body?.cancel();
    return String(status);
  }
  const { code, data } = JSON.parse(await response.text());
  assert.equal(data, null);
  return `${status} ${code}`;
}
