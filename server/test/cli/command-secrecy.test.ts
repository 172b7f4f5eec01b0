// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { environmentOf, runCommand, spawnCommand } from '../support/app/command.ts';
import { ADMIN_PASSWORD, startHoldall } from '../support/app/holdall.ts';
import { PASSWORD } from '../support/app/person.ts';
import { createEmptyInstallation, EMBEDDED } from '../support/checks/restored.ts';
import { sabotage } from '../support/checks/sabotage.ts';
import { isS3 } from '../support/storage/test-storage.ts';
import { packageOf } from '../support/zip/android-package.ts';

const CONFIGURED = {
  HOLDALL_JWT_SECRET: 'the secret that signs the access tokens',
  HOLDALL_DOWNLOAD_SECRET: 'the secret that signs the download addresses',
  HOLDALL_METRICS_TOKEN: 'the token for the metrics',
};
const SHARE_PASSWORD = 'the password of the share';
const TURN_SECRET = 'the secret of the turn server';
const DATABASE_PASSWORD = 'the-password-of-the-database';
const KEY_SECRET = 'the-secret-of-the-access-key';

const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-secrecy-'));
after(() => rm(scratch, { recursive: true }));
const holdall = await startHoldall({ env: CONFIGURED });
const { database } = holdall.app;
const env = {
  ...environmentOf(holdall),
  ...CONFIGURED,
  HOLDALL_ADMIN_PASSWORD: ADMIN_PASSWORD,
  HOLDALL_ICE_SERVERS: JSON.stringify([{ urls: 'turn:turn.example.org', secret: TURN_SECRET }]),
};
const ann = await holdall.register('ann');
const file = await ann.upload('/file', 'content');
await ann.ask('POST', '/api/v2/shares', { body: { fileId: file.id, password: SHARE_PASSWORD } });

/** Everything that the commands have printed. */
const printed: string[] = [];

async function run(
  words: readonly string[],
  { code: expected = 0, changes = {} }: { code?: number; changes?: Record<string, string | undefined> } = {},
): Promise<void> {
  const options = { onProgress: (sentence: string) => printed.push(sentence) };
  const { code, said, complained } = await runCommand({ ...env, ...changes }, words, options);
  printed.push(...said, ...complained);
  assert.equal(code, expected, [...said, ...complained].join('\n'));
}

async function listSecrets(): Promise<readonly string[]> {
  const { db } = database;
  const [accounts, sessions, shares, settings] = [
    await db.selectFrom('account').select('password_hash').execute(),
    await db.selectFrom('session').select('refresh_hash').execute(),
    await db.selectFrom('share').select('password_hash').execute(),
    await db.selectFrom('setting').selectAll().execute(),
  ];
  const generated = settings.filter(({ name }) => /secret|invite/i.test(name)).map(({ value }) => value);
  assert.ok(generated.length > 0);
  const { storage, databaseUrl } = holdall;
  const secrets = [
    ...Object.values(CONFIGURED),
    ...[SHARE_PASSWORD, TURN_SECRET, DATABASE_PASSWORD, KEY_SECRET, ADMIN_PASSWORD, PASSWORD],
    ...[ann.token, ann.login?.refreshToken],
    ...accounts.map((row) => row.password_hash),
    ...sessions.map((row) => row.refresh_hash),
    ...shares.map((row) => row.password_hash),
    ...generated,
    ...[storage.env.HOLDALL_S3_SECRET_ACCESS_KEY, storage.env.HOLDALL_S3_ACCESS_KEY_ID],
    ...(databaseUrl === undefined ? [] : [databaseUrl, new URL(databaseUrl).password]),
  ];
  return secrets.filter((secret) => typeof secret === 'string' && secret !== '').map(String);
}

async function assertNoSecretShown(): Promise<void> {
  const audits = await database.db.selectFrom('audit').selectAll().execute();
  const texts = { printed: printed.join('\n'), audits: JSON.stringify(audits) };
  assert.ok(texts.printed.length > 200);
  for (const [place, text] of Object.entries(texts)) {
    for (const secret of await listSecrets()) assert.ok(!text.includes(secret), `${place}: ${secret}`);
    assert.doesNotMatch(text, /argon2/);
  }
}

describe('no secret is in the output or the audit log of', () => {
  test('the doctor, whatever it finds and repairs', async () => {
    await sabotage(
      holdall,
      'update drive set used_bytes = 7, file_count = 7',
      'update session set account_id = 99999',
      'update share set entry_id = 99999',
    );
    for (const flags of [['--deep'], ['--json'], ['--repair', '--json']]) {
      await run(['doctor', ...flags], { code: 1 });
    }
    await sabotage(
      holdall,
      `update session set account_id = ${ann.id}`,
      `update share set entry_id = ${file.id}`,
    );
    await run(['doctor']);
    await assertNoSecretShown();
  });

  test('backup and restore, nor in the manifest', async () => {
    const directory = path.join(scratch, 'backup');
    await run(['backup', directory]);
    await run(['backup', directory]);
    const place = await createEmptyInstallation(EMBEDDED);
    await run(['restore', directory], { changes: { ...withoutStore(), ...place.env } });
    await run(['restore', directory], { code: 1, changes: { ...withoutStore(), ...place.env } });
    await place.drop();
    printed.push(await readFile(path.join(directory, 'manifest.json'), 'utf8'));
    await assertNoSecretShown();
  });

  test('the other commands', async () => {
    await run(['migrate']);
    await run(['release', 'list']);
    await writeFile(path.join(scratch, 'app.apk'), packageOf());
    const version = ['--version-name', '1', '--version-code', '1'];
    await run(['release', 'publish', path.join(scratch, 'app.apk'), ...version]);
    await run(['storage', 'cors'], { code: isS3 ? 0 : 2 });
    await assertNoSecretShown();
  });

  test('a command that cannot reach the database or the store, nor in its log', inFull, async () => {
    const lost = { HOLDALL_DATABASE_URL: `postgres://holdall:${DATABASE_PASSWORD}@127.0.0.1:9/holdall` };
    const refused = {
      ...{ HOLDALL_STORAGE: 's3', HOLDALL_S3_ENDPOINT: 'http://127.0.0.1:9', HOLDALL_S3_BUCKET: 'bucket' },
      ...{
        HOLDALL_S3_ACCESS_KEY_ID: 'a key',
        HOLDALL_S3_SECRET_ACCESS_KEY: KEY_SECRET,
        HOLDALL_S3_PREFIX: '',
      },
    };
    for (const words of [
      ['doctor'],
      ['backup', path.join(scratch, 'none')],
      ['migrate'],
      ['release', 'list'],
    ]) {
      await run(words, { code: 1, changes: lost });
      if (words[0] !== 'migrate') await run(words, { code: 1, changes: refused });
    }
    for (const changes of [lost, refused]) {
      const { code, said, complained } = await spawnCommand({ ...env, ...changes }, ['serve']);
      assert.equal(code, 1);
      printed.push(...said, ...complained);
    }
    await assertNoSecretShown();
  });

  test('a command with wrong settings', inFull, async () => {
    for (const changes of [
      { HOLDALL_DATABASE_URL: `mysql://holdall:${DATABASE_PASSWORD}@127.0.0.1/holdall` },
      { HOLDALL_DATABASE_URL: `postgres://holdall:${DATABASE_PASSWORD}@127.0.0.1:port/holdall` },
      { HOLDALL_ICE_SERVERS: `[{"urls":"turn:turn.example.org","secret":"${TURN_SECRET}"` },
      { HOLDALL_STORAGE: 's3', HOLDALL_S3_ENDPOINT: `http://holdall:${KEY_SECRET}@127.0.0.1:9` },
    ]) {
      await run(['doctor'], { code: 2, changes });
      const { said, complained } = await spawnCommand({ ...env, ...changes }, ['serve']);
      printed.push(...said, ...complained);
    }
    await assertNoSecretShown();
  });
});

function withoutStore(): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(holdall.storage.env).map((name) => [name, undefined]));
}
