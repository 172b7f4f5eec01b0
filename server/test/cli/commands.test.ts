// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { MIGRATIONS } from '../../src/database/migrator.ts';
import { asAdmin } from '../support/app/admin.ts';
import { environmentOf, runCommand, spawnCommand, startCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { beginLogin, setUpTotp } from '../support/app/second-factor.ts';
import { checkBooks } from '../support/checks/books.ts';
import { sabotage } from '../support/checks/sabotage.ts';
import { createTestDatabase } from '../support/database/test-database.ts';
import { addSharedDrive } from '../support/drives/admin-drive.ts';
import { packageOf } from '../support/zip/android-package.ts';

const holdall = await startHoldall();
const env = environmentOf(holdall);
const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-commands-'));
after(() => rm(scratch, { recursive: true }));

describe('admin', () => {
  test('creates an account while the service runs, and prints its password once', async () => {
    const { code, said, complained } = await spawnCommand(env, ['admin', 'create', 'operator']);
    assert.equal(code, 0, complained.join('\n'));
    assert.equal(said[0], 'username: operator (ADMIN)');
    const password = /^password: ([\w-]{20})$/.exec(said[1] ?? '')?.[1];
    const operator = await new Person('operator', holdall.url).logIn(password ?? assert.fail(said.join()));
    assert.equal(operator.login?.user.role, 'ADMIN');
    assert.equal((await operator.list('/')).total, 3);
  });

  test('takes the role as an argument and the password from standard input, never from an argument', async () => {
    const words = ['admin', 'create', 'quiet', '--role', 'moderator', '--password-stdin'];
    const { code, said } = await spawnCommand(env, words, 'a long and quiet password\nmore\n');
    assert.deepEqual([code, said], [0, ['username: quiet (MODERATOR)']]);
    const quiet = await new Person('quiet', holdall.url).logIn('a long and quiet password');
    assert.equal(quiet.login?.user.role, 'MODERATOR');
    const given = await runCommand(env, ['admin', 'create', 'loud', '--password', 'a long password']);
    assert.equal(given.code, 2);
    assert.match(given.complained.join(), /--password/);
  });

  test('rejects wrong arguments with code 2, and impossible requests with code 1', async () => {
    const cases: readonly (readonly [words: string, code: number, complaint: RegExp, input?: string])[] = [
      ['admin create', 2, /Expected NAME, got nothing/],
      ['admin create one two', 2, /Expected NAME, got "one two"/],
      ['admin create x', 2, /3 to 64 letters/],
      ['admin create OPERATOR', 1, /taken/],
      ['admin create someone --role KING', 2, /USER, MODERATOR, ADMIN/],
      ['admin create someone --password-stdin', 2, /contains no password/],
      ['admin create someone --password-stdin', 2, /at least 8 characters/, 'short'],
      ['admin reset-password nobody-here', 1, /no account nobody-here/],
      ['admin reset-second-factor nobody-here', 1, /no account nobody-here/],
      ['admin reset-second-factor', 2, /Expected NAME/],
      ['admin demote operator', 2, /There is no command "admin demote operator"/],
    ];
    for (const [words, code, complaint, input] of cases) {
      const end = await runCommand(env, words.split(' '), input === undefined ? {} : { input });
      assert.equal(end.code, code, words);
      assert.match(end.complained.join('\n'), complaint);
    }
  });

  test('lists the drives with their usage, members and managers', async () => {
    const [gail, hans] = [await holdall.register('gail'), await holdall.register('hans')];
    const members = [[gail, 'MANAGER'] as const, [hans, 'VIEWER'] as const];
    const id = await addSharedDrive(holdall, { name: 'Choir', members });
    await addSharedDrive(holdall, { name: 'Old choir', deletedAt: holdall.clock.now() });
    const { code, said } = await runCommand(env, ['admin', 'drives', '--query', 'choir']);
    assert.equal(code, 0);
    assert.match(said[0] ?? '', /\tSHARED\tOld choir\t.*\t0 members\tno managers\tdeleted 2\d{3}-/);
    assert.match(
      said[1] ?? '',
      new RegExp(`^${id}\\tSHARED\\tChoir\\t.*\\t0 files\\t2 members\\tmanagers: ${gail.username}$`),
    );
    assert.equal(said.length, 2);
    const words = ['admin', 'drives', '--json', '--query', hans.username];
    const [drive] = (await runCommand(env, words)).said.map((line) => JSON.parse(line));
    assert.deepEqual(
      [drive.id, drive.kind, drive.ownerUsername, drive.memberCount, drive.managers],
      [hans.driveId, 'PERSONAL', hans.username, 1, [hans.username]],
    );
  });

  test('sets a new password, which ends all sessions', async () => {
    const person = await holdall.register('forgetful');
    const { code, said } = await runCommand(env, ['admin', 'reset-password', person.username.toUpperCase()]);
    assert.equal(code, 0);
    await person.refused(401, 1001, 'GET', '/api/user/profile');
    const password = said.at(-1)?.replace('password: ', '') ?? assert.fail();
    await new Person(person.username, holdall.url).logIn(password);
  });

  test('removes the second factor of an account, but keeps its sessions and its password', async () => {
    const person = await holdall.register('phoneless');
    await setUpTotp(person, holdall.clock);
    await beginLogin(person);
    const words = ['admin', 'reset-second-factor', person.username.toUpperCase()];
    const { code, said } = await runCommand(env, words);
    assert.deepEqual(
      [code, said],
      [
        0,
        [
          `${person.username.toUpperCase()} has no second factor any more, and logs in with the password alone if there is one.`,
        ],
      ],
    );
    await person.ask('GET', '/api/user/profile');
    await person.with(undefined).logIn();
    const again = await runCommand(env, words);
    assert.deepEqual(again, { code: 0, said: [`${words[2]} has no second factor.`], complained: [] });
    const { db } = holdall.app.database;
    const rows = await db
      .selectFrom('audit')
      .select(['target_id', 'details', 'actor_id'])
      .where('action', '=', 'RESET_SECOND_FACTORS')
      .execute();
    assert.deepEqual(
      rows.map(({ target_id, actor_id }) => [target_id, actor_id]),
      [[String(person.id), null]],
    );
  });
});

test('invite shows the code and creates a new one', async () => {
  const first = await runCommand(env, ['invite', 'show']);
  assert.deepEqual([first.code, first.said], [0, [await holdall.inviteCode()]]);
  const second = await runCommand(env, ['invite', 'rotate']);
  assert.notDeepEqual(second.said, first.said);
  assert.deepEqual(second.said, [await holdall.inviteCode()]);
  await new Person('invited', holdall.url).register(second.said[0] ?? '');
});

test('release can publish, list and remove a release', async () => {
  const file = path.join(scratch, 'app-release.apk');
  const bytes = packageOf(1_000);
  await writeFile(file, bytes);
  assert.deepEqual((await runCommand(env, ['release', 'list'])).said, ['Nothing is published.']);
  const publish = (...more: string[]) => runCommand(env, ['release', 'publish', ...more]);
  const done = await publish(file, '--version-name', '1.4.0', '--version-code', '14');
  assert.deepEqual(done, { code: 0, said: ['holdall-1.4.0.apk is published.'], complained: [] });
  const latest = await holdall.anonymous.fetch('GET', '/api/app/android/download');
  assert.deepEqual(Buffer.from(await latest.arrayBuffer()), bytes);
  const { said } = await runCommand(env, ['release', 'list']);
  assert.match(said.join(), /^14\t1\.4\.0\tholdall-1\.4\.0\.apk\t1000 bytes\t2/);
  const cases: readonly (readonly [words: readonly string[], code: number, complaint: RegExp])[] = [
    [[file, '--version-name', '2', '--version-code', '14'], 1, /14 is published already/],
    [[file, '--version-name', '../2', '--version-code', '15'], 2, /version name/],
    [[file, '--version-name', '2', '--version-code', 'x'], 2, /version code is missing or not a number/],
    [[file, '--version-code', '15'], 2, /--version-name is missing/],
    [[file, '--version-name', '2', '--version-code', '15', '--name', 'a/b'], 2, /The name must/],
    [[`${file}.not`, '--version-name', '2', '--version-code', '15'], 2, /cannot be read/],
    [[scratch, '--version-name', '2', '--version-code', '15'], 2, /is not a file/],
    [[import.meta.filename, '--version-name', '2', '--version-code', '15'], 1, /not an Android package/],
  ];
  for (const [words, code, complaint] of cases) {
    const end = await publish(...words);
    assert.equal(end.code, code, end.complained.join());
    assert.match(end.complained.join(), complaint);
  }
  assert.equal((await runCommand(env, ['release', 'remove', '14'])).code, 0);
  assert.equal((await runCommand(env, ['release', 'remove', '14'])).code, 1);
  await holdall.anonymous.refused(404, 1003, 'GET', '/api/app/android/latest');
  await checkBooks(holdall);
});

test('the changes of the command line are in the audit log, without an actor and without secrets', async () => {
  const made = await runCommand(env, ['admin', 'create', 'audited', '--role', 'USER']);
  const password = made.said.at(-1)?.replace('password: ', '') ?? assert.fail();
  assert.equal((await runCommand(env, ['admin', 'reset-password', 'audited'])).code, 0);
  const invited = await runCommand(env, ['invite', 'rotate']);
  const file = path.join(scratch, 'audited.apk');
  await writeFile(file, packageOf());
  for (const words of [
    ['release', 'publish', file, '--version-name', '9', '--version-code', '99'],
    ['release', 'remove', '99'],
  ]) {
    assert.equal((await runCommand(env, words)).code, 0);
  }
  await sabotage(
    holdall,
    `update drive set file_count = 7
      where account_id = (select id from account where username = 'audited')`,
  );
  assert.equal((await runCommand(env, ['doctor', '--repair'])).code, 1);
  const rows = await holdall.app.database.db.selectFrom('audit').selectAll().orderBy('id').execute();
  const acts = rows.slice(-6);
  assert.deepEqual(
    acts.map(({ action, target_type, target }) => `${action} ${target_type} ${target.replace(/\d+$/, '#')}`),
    [
      'CREATE_USER USER audited',
      'RESET_USER_PASSWORD USER audited',
      'ROTATE_INVITE_CODE SETTING invite code',
      'PUBLISH_RELEASE RELEASE holdall-9.apk',
      'REMOVE_RELEASE RELEASE holdall-9.apk',
      'REPAIR FAULT drive #',
    ],
  );
  assert.ok(acts.every(({ actor_id, actor }) => actor_id === null && actor === 'command line'));
  assert.match(
    acts.at(-1)?.summary ?? '',
    /^Repaired: The drive of audited has 0 files, but the recorded count is 7\.$/,
  );
  const text = JSON.stringify(rows);
  for (const secret of [password, invited.said[0] ?? assert.fail()]) assert.ok(!text.includes(secret));
  const admin = asAdmin(await holdall.admin());
  assert.equal((await admin.audits({ actionType: 'REPAIR' })).total, 1);
});

test('backup records its result, which administrators can see', async () => {
  const directory = path.join(scratch, 'backup');
  const lastRun = async () => (await holdall.app.jobRuns.list()).find(({ name }) => name === 'backup');
  assert.equal((await runCommand(env, ['backup', directory])).code, 0);
  assert.equal((await lastRun())?.error, null);
  await writeFile(path.join(directory, 'drive-id'), 'another drive');
  const { code, complained } = await runCommand(env, ['backup', directory]);
  assert.deepEqual([code, [(await lastRun())?.error]], [1, complained]);
});

describe('doctor', () => {
  test('finds no faults in a drive in use and exits with 0', inFull, async () => {
    const { code, said } = await spawnCommand(env, ['doctor', '--deep']);
    assert.equal(code, 0, said.join('\n'));
    assert.match(said[0] ?? '', /^Checked .*\d+ drives, .*\d+ files and directories, .*\d+ objects\.$/);
    assert.equal(said.at(-1), 'No faults.');
  });

  test('reports faults as text or JSON, exits with 1, and repairs them with --repair', async () => {
    const person = await holdall.register('wronged');
    await holdall.app.database.transact((tx) =>
      tx.updateTable('drive').set({ used_bytes: 7 }).where('account_id', '=', person.id).execute(),
    );
    const sentence = `The drive of ${person.username} uses 0 bytes, but the recorded usage is 7.`;
    const plain = await runCommand(env, ['doctor']);
    assert.equal(plain.code, 1);
    assert.equal(plain.said[0], sentence);
    assert.deepEqual(plain.complained, ['1 fault was found.']);
    const json = await runCommand(env, ['doctor', '--json']);
    const [fault, summary] = json.said.map((line) => JSON.parse(line));
    assert.deepEqual(fault, { rule: 'usage', subject: 'drive', id: person.driveId, sentence, mended: false });
    assert.deepEqual([summary.faults, summary.mended, summary.notLookedAt], [1, 0, []]);
    const repairing = await runCommand(env, ['doctor', '--repair']);
    assert.equal(repairing.said[0], `${sentence} Repaired.`);
    assert.deepEqual(
      [repairing.code, repairing.complained],
      [1, ['1 fault was found, of which 1 was repaired.']],
    );
    assert.equal(await person.usedBytes(), 0);
    const lastRun = async () => (await holdall.app.jobRuns.list()).find(({ name }) => name === 'doctor');
    // A run that repairs everything counts as a success.
    const last = await lastRun();
    assert.equal(last?.error, null);
    assert.ok(last.failures >= 2);
  });

  test('stops when its signal aborts', async () => {
    const end = new AbortController();
    const { code, complained } = await runCommand(env, ['doctor'], {
      signal: end.signal,
      onProgress: () => end.abort(),
    });
    assert.deepEqual([code, complained], [130, ['Stopped.']]);
  });
});

describe('migrate', () => {
  test('is the only way to migrate with HOLDALL_MIGRATE=off', async () => {
    const fresh = { ...(await freshEnvironment()), HOLDALL_MIGRATE: 'off', HOLDALL_LOG_LEVEL: 'silent' };
    await assert.rejects(createApp(readConfig(fresh)), /has no schema yet, .* Run "holdall migrate"\.$/);
    assert.equal((await runCommand(fresh, ['migrate'])).code, 0);
    const next = { name: '9999-next', statements: () => ['create table next (id integer)'] };
    await assert.rejects(
      createApp(readConfig(fresh), { migrations: [...MIGRATIONS, next] }),
      /has not all schema steps of this version, and HOLDALL_MIGRATE is off\. .*run "holdall migrate"\.$/,
    );
    const app = await createApp(readConfig(fresh));
    await app.close();
  });

  test('migrates an empty database to this version, and does nothing the second time', async () => {
    const fresh = await freshEnvironment();
    const first = await runCommand(fresh, ['migrate']);
    assert.equal(first.code, 0);
    const names = MIGRATIONS.map(({ name }) => name);
    assert.ok(first.said.join().endsWith(` was migrated: ${names.join(', ')}.`), first.said.join());
    assert.match((await runCommand(fresh, ['migrate'])).said.join(), /is up to date\.$/);
    // There is no account yet.
    const early = await runCommand(fresh, ['invite', 'show']);
    assert.equal(early.code, 1);
    assert.match(early.complained.join(), /Nobody has an account yet/);
  });
});

describe('every command', () => {
  test('reports a missing drive and does not create one', async () => {
    const fresh = await freshEnvironment();
    for (const words of ['invite show', 'doctor', `backup ${scratch}/none`, 'admin create somebody']) {
      const { code, complained } = await runCommand(fresh, words.split(' '));
      assert.equal(code, 1, words);
      assert.match(complained.join(), /There is no drive in|The database is empty/);
    }
  });

  test('reports every wrong setting', async () => {
    const { code, complained } = await runCommand({ ...env, HOLDALL_PORT: 'x', HOLDALL_STORAGE: 'y' }, [
      'doctor',
    ]);
    assert.equal(code, 2);
    assert.match(complained.join('\n'), /HOLDALL_PORT[\s\S]*HOLDALL_STORAGE/);
  });

  test('rejects unknown options and arguments', async () => {
    for (const words of [
      'doctor --fast',
      'doctor now',
      'backup',
      'restore a b',
      'invite show me',
      'serve x',
    ]) {
      const { code, said } = await runCommand(env, words.split(' '));
      assert.deepEqual([code, said], [2, []], words);
    }
  });
});

test('serve runs the service until a signal ends it', async () => {
  const fresh = await freshEnvironment();
  const child = startCommand({ ...fresh, HOLDALL_PORT: '0', HOLDALL_LOG_LEVEL: 'error' }, ['serve']);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (some: string) => {
    printed += some;
    if (printed.includes('listening on')) child.kill('SIGINT');
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
});

test('the command works through a symbolic link from any directory', inFull, async () => {
  const link = path.join(scratch, 'holdall');
  await symlink(path.resolve(import.meta.dirname, '../../../tools/holdall.mjs'), link);
  const child = spawn(process.execPath, [link, 'help'], { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  assert.equal(code, 0);
  assert.match(said, /holdall backup DIRECTORY/);
});

async function freshEnvironment() {
  const dataDir = await mkdtemp(path.join(scratch, 'data-'));
  const database = await createTestDatabase();
  after(() => database.drop());
  return { HOLDALL_DATA_DIR: dataDir, HOLDALL_DATABASE_URL: database.url };
}
