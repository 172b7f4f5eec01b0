// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppPasswordScope } from '../../../src/base/domain/accounts.ts';
import { asProgram, createAppPassword } from '../../support/app/app-passwords.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { listApiRoutes } from '../../support/http/api-routes.ts';
import { pathWithUnknownIds, RouteTable } from '../../support/http/route-table.ts';

/** What app passwords may do with each route. HEAD follows GET. */
const ALLOWED = `
  read   GET     /
  read   GET     /_dl/*
  read   GET     /health/live
  read   GET     /health/ready
  read   GET     /metrics
  read   GET     /api/openapi.json
  read   GET     /api/v2/site/ping
  read   GET     /api/app/android/latest
  read   GET     /api/app/android/download
  read   GET     /api/app/android/download/{fileName}
  never  POST    /api/auth/register
  never  POST    /api/auth/login
  never  POST    /api/auth/second-factor
  never  POST    /api/auth/passkey/options
  never  POST    /api/auth/passkey
  read   GET     /api/auth/methods
  never  GET     /api/auth/oidc/start
  never  GET     /api/auth/oidc/callback
  never  POST    /api/auth/oidc/ticket
  never  POST    /api/user/identities/oidc
  never  DELETE  /api/user/identities/{id}
  never  POST    /api/auth/refresh
  never  POST    /api/auth/logout
  never  POST    /api/auth/dev-login
  read   GET     /api/user/profile
  never  PUT     /api/user/profile
  never  POST    /api/user/password
  never  GET     /api/user/sessions
  never  DELETE  /api/user/sessions/{id}
  never  GET     /api/user/security
  never  GET     /api/user/security/changes
  never  POST    /api/user/totp
  never  POST    /api/user/totp/confirm
  never  POST    /api/user/totp/recovery-codes
  never  DELETE  /api/user/totp
  never  POST    /api/user/passkeys/options
  never  POST    /api/user/passkeys
  never  GET     /api/user/passkeys
  never  DELETE  /api/user/passkeys/{id}
  never  POST    /api/user/app-passwords
  never  GET     /api/user/app-passwords
  never  DELETE  /api/user/app-passwords/{id}
  never  POST    /api/user/avatar/upload/initiate
  never  POST    /api/user/avatar/upload
  never  POST    /api/user/avatar/upload/complete
  read   GET     /api/user/avatar/content
  write  POST    /api/files/mkdir
  read   GET     /api/files/list
  read   GET     /api/files/recent
  read   GET     /api/v2/files/{fileId}
  read   GET     /api/v2/files/starred
  read   GET     /api/v2/files/timeline
  read   GET     /api/v2/files/timeline/months
  write  PUT     /api/v2/files/{fileId}/star
  write  DELETE  /api/v2/files/{fileId}/star
  write  PUT     /api/v2/files/{fileId}/content
  read   GET     /api/v2/files/{fileId}/thumbnail
  read   GET     /api/v2/files/{fileId}/archive
  read   GET     /api/v2/files/{fileId}/versions
  read   GET     /api/v2/files/{fileId}/versions/{versionId}
  write  POST    /api/v2/files/{fileId}/versions/{versionId}/restore
  write  DELETE  /api/v2/files/{fileId}/versions/{versionId}
  write  PATCH   /api/files/{fileId}/rename
  write  PATCH   /api/files/{fileId}/move
  write  POST    /api/files/{fileId}/copy
  write  DELETE  /api/files/{fileId}
  read   GET     /api/files/recycle-bin
  write  POST    /api/files/recycle-bin/{fileId}/restore
  write  DELETE  /api/files/recycle-bin/{fileId}
  write  DELETE  /api/files/recycle-bin
  write  POST    /api/files/upload
  write  POST    /api/files/upload/initiate
  write  POST    /api/files/upload/complete
  write  PUT     /api/files/upload/content
  write  POST    /api/v2/files/upload-sessions
  read   GET     /api/v2/files/upload-sessions/{sessionId}
  write  DELETE  /api/v2/files/upload-sessions/{sessionId}
  write  GET     /api/v2/files/upload-sessions/{sessionId}/prepare
  write  POST    /api/v2/files/upload-sessions/{sessionId}/content
  write  GET     /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare
  write  PUT     /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}
  write  POST    /api/v2/files/upload-sessions/{sessionId}/complete
  write  OPTIONS /api/v2/files/tus
  write  POST    /api/v2/files/tus
  write  OPTIONS /api/v2/files/tus/{sessionId}
  write  HEAD    /api/v2/files/tus/{sessionId}
  write  PATCH   /api/v2/files/tus/{sessionId}
  write  POST    /api/v2/files/tus/{sessionId}
  write  DELETE  /api/v2/files/tus/{sessionId}
  read   GET     /api/files/download/{fileId}
  read   GET     /api/files/download/{fileId}/url
  read   POST    /api/v2/downloads
  read   GET     /api/v2/downloads
  read   GET     /api/v2/files/search
  read   GET     /api/v2/files/events
  read   GET     /api/v2/files/changes
  read   GET     /api/v2/tasks
  read   GET     /api/v2/tasks/{id}
  write  DELETE  /api/v2/tasks/{id}
  write  POST    /api/v2/tasks/{id}/retry
  write  POST    /api/v2/tasks/archive
  write  POST    /api/v2/tasks/extract
  write  POST    /api/v2/tasks/media-metadata
  write  POST    /api/files/{fileId}/share-links
  read   GET     /api/files/share-links/{token}
  write  POST    /api/files/share-links/{token}/import
  write  POST    /api/v2/shares
  read   GET     /api/v2/shares/mine
  write  PATCH   /api/v2/shares/{id}
  write  DELETE  /api/v2/shares/{id}
  write  POST    /api/v2/folder-links
  read   GET     /api/v2/folder-links/mine
  write  PATCH   /api/v2/folder-links/{id}
  write  DELETE  /api/v2/folder-links/{id}
  read   GET     /api/v2/folder-links/{token}
  read   POST    /api/v2/folder-links/{token}/verify-password
  write  POST    /api/v2/folder-links/{token}/uploads
  write  OPTIONS /api/v2/folder-links/{token}/tus
  write  POST    /api/v2/folder-links/{token}/tus
  write  OPTIONS /api/v2/folder-links/{token}/tus/{sessionId}
  write  HEAD    /api/v2/folder-links/{token}/tus/{sessionId}
  write  PATCH   /api/v2/folder-links/{token}/tus/{sessionId}
  write  POST    /api/v2/folder-links/{token}/tus/{sessionId}
  write  DELETE  /api/v2/folder-links/{token}/tus/{sessionId}
  read   GET     /api/v2/folder-links/{token}/thumbnail
  write  POST    /api/v2/folder-links/{token}/import
  read   GET     /api/v2/folder-links/{token}/entries
  read   GET     /api/v2/folder-links/{token}/download
  read   POST    /api/v2/folder-links/{token}/downloads
  read   GET     /api/v2/folder-links/{token}/downloads
  read   GET     /api/v2/share-links/mine
  write  DELETE  /api/v2/share-links/{id}
  read   GET     /api/v2/shares/{token}
  read   GET     /api/v2/shares/{token}/thumbnail
  read   POST    /api/v2/shares/{token}/verify-password
  write  POST    /api/v2/shares/{token}/import
  write  POST    /api/transfer/sessions
  read   GET     /api/transfer/sessions/lookup
  write  POST    /api/transfer/sessions/{sessionId}/join
  write  DELETE  /api/transfer/sessions/{sessionId}
  write  DELETE  /api/v2/transfer/sessions/{sessionId}/receiver
  read   GET     /api/transfer/ice-servers
  never  POST    /api/v2/transfer/sessions/{sessionId}/offer
  never  DELETE  /api/v2/transfer/sessions/{sessionId}/offer
  write  OPTIONS /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus
  write  POST    /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus
  write  OPTIONS /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  write  HEAD    /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  write  PATCH   /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  write  POST    /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  write  DELETE  /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  write  POST    /api/transfer/sessions/{sessionId}/signals
  read   GET     /api/transfer/sessions/{sessionId}/signals
  read   GET     /api/transfer/sessions/offline/mine
  write  POST    /api/transfer/sessions/{sessionId}/files/{fileId}/content
  read   GET     /api/transfer/sessions/{sessionId}/files/{fileId}/download
  read   GET     /api/v2/transfer/sessions/{sessionId}/download
  write  POST    /api/transfer/sessions/{sessionId}/files/{fileId}/import
  never  GET     /api/admin/summary
  never  GET     /api/admin/settings
  never  GET     /api/admin/filesystem
  never  GET     /api/admin/maintenance
  never  PATCH   /api/admin/settings/registration/invite-code
  never  POST    /api/admin/settings/registration/invite-code/rotate
  never  PATCH   /api/admin/settings/registration/account-defaults
  never  PATCH   /api/admin/settings/offline-transfer-storage-limit
  never  GET     /api/admin/audits
  never  GET     /api/admin/users
  never  POST    /api/admin/users
  never  DELETE  /api/admin/users/{userId}
  never  PATCH   /api/admin/users/{userId}/role
  never  PATCH   /api/admin/users/{userId}/status
  never  PUT     /api/admin/users/{userId}/password
  never  POST    /api/admin/users/{userId}/password/reset
  never  DELETE  /api/admin/users/{userId}/second-factors
  never  DELETE  /api/admin/users/{userId}/identities/{identityId}
  never  PATCH   /api/admin/users/{userId}/storage-quota
  never  PATCH   /api/admin/users/{userId}/max-upload-size
  never  PATCH   /api/admin/users/{userId}/max-entries
  never  GET     /api/admin/invites
  never  POST    /api/admin/invites
  never  DELETE  /api/admin/invites/{id}
  never  GET     /api/admin/files
  never  DELETE  /api/admin/files/{fileId}
  never  GET     /api/admin/folder-links
  never  DELETE  /api/admin/folder-links/{linkId}
  never  GET     /api/admin/shares
  never  DELETE  /api/admin/shares/{shareId}
  never  GET     /api/admin/file-blobs
  never  GET     /api/admin/tasks
  never  GET     /api/admin/tasks/{taskId}
  never  GET     /api/admin/storage-policies
  never  POST    /api/admin/storage-policies/migrations
  never  POST    /api/admin/storage-policies
  never  PUT     /api/admin/storage-policies/{policyId}
  never  PATCH   /api/admin/storage-policies/{policyId}/status
`;

const holdall = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true', HOLDALL_RATE_LIMITS: 'off' } });
// An admin, so that every refusal is one of the app password.
const admin = await holdall.admin();
const routes = listApiRoutes(holdall.app.server);
const table = new RouteTable(ALLOWED, routes);

test('the table has exactly one row for each route', () => {
  assert.deepEqual(table.findDifferences(), []);
});

test('a READ app password is refused by every route but those that change nothing', () =>
  assertRefusals('READ', ['write', 'never']));

test('a WRITE app password is refused by the routes of administration, account and logins', () =>
  assertRefusals('WRITE', ['never']));

test('a wrong app password is refused by every route that needs a login, and is nobody elsewhere', async () => {
  const nobody = asProgram(holdall.anonymous, `hda_${'0'.repeat(32)}`);
  for (const route of routes) {
    const isRefused = route.access !== 'public';
    assert.equal((await call(nobody, route)) === 401, isRefused, `${route.method} ${route.url}`);
  }
});

async function assertRefusals(scope: AppPasswordScope, refused: readonly string[]): Promise<void> {
  const { password } = await createAppPassword(admin, { scope });
  const program = asProgram(admin, password);
  const answered: string[] = [];
  const expected: string[] = [];
  for (const route of routes) {
    const status = await call(program, route);
    answered.push(`${route.method} ${route.url} ${status === 403}`);
    // Without a signature everybody gets a 403 here.
    const isRefused = refused.includes(table.valueOf(route)) || route.url === '/_dl/*';
    expected.push(`${route.method} ${route.url} ${isRefused}`);
    assert.notEqual(status, 401, `${route.method} ${route.url}`);
  }
  assert.ok(answered.length > 100, `only ${answered.length} routes`);
  assert.deepEqual(answered, expected);
}

type Route = (typeof routes)[number];

async function call(caller: Person, route: Route): Promise<number> {
  const response = await caller.fetch(route.method, pathWithUnknownIds(route));
  await response.body?.cancel();
  return response.status;
}
