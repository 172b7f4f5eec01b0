// tier: full
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Fuzzer } from '../../../../tools/fuzz/fuzzer.ts';
import { describeOutcome } from '../../../../tools/fuzz/outcome.ts';
import { examine, FUZZ_ENVIRONMENT } from '../../../../tools/fuzz/service/own-service.ts';
import { ServiceLog } from '../../../../tools/fuzz/service/service-log.ts';
import { SEED } from '../../../../tools/testing/seed.ts';
import { isLong } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { isPostgres } from '../../support/database/test-database.ts';

// Several tests, because a single one would take too long on a loaded machine.
const TESTS = isLong ? 50 : isPostgres ? 1 : 2;
const REQUESTS = 3_000;

/** The share of operations that must succeed at least once. Some succeed only by chance. */
const MIN_SUCCEEDED = isPostgres ? 0.7 : 0.9;

/** These need an authenticator that signs with its own key. */
const WITH_AUTHENTICATOR = [
  'POST /api/auth/passkey',
  'POST /api/user/passkeys',
  'DELETE /api/user/passkeys/{id}',
] as const;

/** These need a provider, which the fuzzed service does not have. */
const WITH_PROVIDER = [
  'GET /api/auth/oidc/start',
  'HEAD /api/auth/oidc/start',
  'GET /api/auth/oidc/callback',
  'HEAD /api/auth/oidc/callback',
  'POST /api/auth/oidc/ticket',
  'POST /api/user/identities/oidc',
  'DELETE /api/user/identities/{id}',
  'DELETE /api/admin/users/{userId}/identities/{identityId}',
] as const;

/** These need a store that takes uploads directly, which a local disk does not. */
const WITH_DIRECT_UPLOADS = [
  'GET /api/v2/files/upload-sessions/{sessionId}/prepare',
  'HEAD /api/v2/files/upload-sessions/{sessionId}/prepare',
  'GET /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare',
  'HEAD /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare',
  'PUT /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}',
] as const;

/** These need a mail server, which the fuzzed service does not have. */
const WITH_MAIL = [
  'POST /api/auth/password-reset',
  'POST /api/auth/password-reset/confirm',
  'POST /api/auth/email-verification',
  'POST /api/auth/email-verification/confirm',
] as const;

const CANNOT_SUCCEED: ReadonlySet<string> = new Set([
  ...WITH_AUTHENTICATOR,
  ...WITH_PROVIDER,
  ...WITH_DIRECT_UPLOADS,
  ...WITH_MAIL,
]);

const log = new ServiceLog();
const { app, url } = await startHoldall({ env: FUZZ_ENVIRONMENT, logger: log.logger });
const fuzzer = await Fuzzer.create({ app, url, log, seed: SEED });
after(() => fuzzer.close());

for (let number = 1; number <= TESTS; number += 1) {
  test(`random requests get documented answers and block nothing (${number} of ${TESTS})`, async () => {
    await fuzzer.send(REQUESTS);
    assert.deepEqual(fuzzer.outcome.faults, [], describeOutcome(fuzzer.outcome));
  });
}

test('random requests succeed at least once with nearly all operations', () => {
  const { outcome } = fuzzer;
  process.stdout.write(`${describeOutcome(outcome)}\n`);
  const counts = [...outcome.successes].filter(([name]) => !CANNOT_SUCCEED.has(name));
  const succeeded = counts.filter(([, count]) => count > 0).length;
  assert.ok(succeeded >= MIN_SUCCEEDED * counts.length, describeOutcome(outcome));
});

test('random requests leave a consistent drive', async () => {
  assert.deepEqual(await examine(app), []);
});
