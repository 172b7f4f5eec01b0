// tier: default
// needs: build, process
// The Debian package. `npm test -- --long` installs, uses, upgrades, removes and purges it on a bare Debian:
// a root directory made of Debian's packages, without Node.js.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildOwnPackages } from '../../../tools/package/build-own.ts';
import { VERSION } from '../../../tools/package/contents.ts';
import { needPrograms, plainSpawnOptions } from '../../../tools/programs/debian-packages.ts';
import { isLong } from '../../../tools/testing/tiers.ts';
import { MIGRATIONS } from '../../src/database/migrator.ts';
import { lineAfter } from '../support/app/main-program.ts';
import { Person } from '../support/app/person.ts';
import { listEarlierFixtures, PEOPLE, toFixtureFiles, unpackFixture } from '../support/package/fixtures.ts';
import { startService } from '../support/package/packages.ts';

const PREVIOUS = '0.0.9';
/** The script that is installed as `/usr/bin/holdall`. */
const COMMAND = path.join(import.meta.dirname, '..', '..', '..', 'tools', 'package', 'debian', 'holdall.sh');

test('the Debian command reads the settings as systemd does, and executes nothing in them', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'holdall-settings-'));
  after(() => rmSync(directory, { recursive: true }));
  const settings = path.join(directory, 'holdall.env');
  writeFileSync(
    settings,
    String.raw`# HOLDALL_COMMENT=1
  ; HOLDALL_COMMENT=2
HOLDALL_PORT=81
  HOLDALL_BLANKS  =   two words # and more  	
HOLDALL_DOUBLE="a \"b\" \$c \d 'e' " # is not
HOLDALL_SINGLE='a "b" $(touch ran) \ '
HOLDALL_BOTH="one "'two'three
HOLDALL_QUOTES=it's "so"
HOLDALL_LINES="first
second \
third"
HOLDALL_LONG=a\
b\c
HOLDALL_X=$(touch ran)
HOLDALL_Y=` +
      '`touch ran`' +
      `
HOLDALL_EMPTY=
HOLDALL_TWICE=1
HOLDALL_TWICE=2
HOLDALL_GIVEN=settings
export HOLDALL_EXPORTED=1
HOLDALL-NONE=1
9HOLDALL=1
no assignment
$(touch ran)
HOLDALL_LAST='at the end'`,
  );
  const script = readFileSync(COMMAND, 'utf8')
    .replace('[ "$(id -u)" = 0 ]', 'false')
    .replace('/etc/holdall/holdall.env', settings)
    .replaceAll('exec /usr/lib/holdall/bin/holdall', 'exec env -0');
  const run = (given: Readonly<Record<string, string>>) => {
    const { stdout, stderr } = spawnSync('sh', ['-c', script], {
      cwd: directory,
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', ...given },
    });
    const found = stdout.split('\0').filter((each) => each.includes('HOLDALL'));
    return { stderr, found: Object.fromEntries(found.map((each) => each.split(/=(.*)/s, 2))) };
  };
  const { stderr, found } = run({ HOLDALL_GIVEN: 'caller' });
  assert.deepEqual(found, {
    HOLDALL_DATA_DIR: '/var/lib/holdall',
    HOLDALL_PORT: '81',
    HOLDALL_BLANKS: 'two words # and more',
    HOLDALL_DOUBLE: `a "b" $c \\d 'e' # is not`,
    HOLDALL_SINGLE: 'a "b" $(touch ran) \\ ',
    HOLDALL_BOTH: 'one twothree',
    HOLDALL_QUOTES: `it's "so"`,
    HOLDALL_LINES: 'first\nsecond third',
    HOLDALL_LONG: 'abc',
    HOLDALL_X: '$(touch ran)',
    HOLDALL_Y: '`touch ran`',
    HOLDALL_EMPTY: '',
    HOLDALL_TWICE: '2',
    HOLDALL_GIVEN: 'caller',
    HOLDALL_LAST: 'at the end',
  });
  assert.equal(run({ HOLDALL_DATA_DIR: '/elsewhere' }).found.HOLDALL_DATA_DIR, '/elsewhere');
  assert.deepEqual([stderr, existsSync(path.join(directory, 'ran'))], ['', false]);
});

if (isLong) describe('the package on a bare Debian', testOnDebian);

function testOnDebian(): void {
  const scratch = mkdtempSync(path.join(tmpdir(), 'holdall-debian-'));
  const debian = path.join(scratch, 'root');
  const inRoot = (name: string) => path.join(debian, name);
  after(() => rmSync(scratch, { recursive: true, force: true }));

  /** Runs a command in the Debian root directory. */
  const run = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('chroot', [debian, ...words], {
      ...plainSpawnOptions(),
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };
  const succeed = (...words: readonly string[]) => {
    const { status, output } = run(...words);
    assert.equal(status, 0, output);
    return output;
  };
  /** Starts the service as the systemd unit does. */
  const start = () => {
    const unit = readFileSync(inRoot('lib/systemd/system/holdall.service'), 'utf8');
    const [, user = ''] = /^User=(.*)$/m.exec(unit) ?? [];
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
    const words = ['chroot', debian, 'setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
    return startService([...words, ...command.split(' ')], {
      ...plainSpawnOptions().env,
      HOLDALL_DATA_DIR: '/var/lib/holdall',
      HOLDALL_PORT: '0',
      HOLDALL_LOG_LEVEL: 'warn',
    });
  };
  let current = '';

  before(async () => {
    await needPrograms(['mmdebstrap', 'lintian'], ['mmdebstrap', 'lintian']);
    const release = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
    assert.ok(release);
    const options = ['--mode=root', '--variant=essential', '--include=adduser,libstdc++6'];
    // Installs what the package depends on, as apt would. Ignores the validity dates of packages, because the
    // clock of a test machine may be wrong.
    const anyTime = '--aptopt=Acquire::Check-Valid-Until "false"';
    const made = spawnSync('mmdebstrap', [...options, anyTime, release, debian], {
      ...plainSpawnOptions(),
      encoding: 'utf8',
    });
    assert.equal(made.status, 0, made.stderr);
    current = (await buildOwnPackages(path.join(scratch, 'current'))).debian;
    const { debian: previous } = await buildOwnPackages(path.join(scratch, 'previous'), PREVIOUS);
    copyFileSync(current, inRoot('current.deb'));
    copyFileSync(previous, inRoot('previous.deb'));
  });

  test('passes lintian without an error', () => {
    const { stdout, stderr, status } = spawnSync('lintian', ['--fail-on', 'error', '--allow-root', current], {
      ...plainSpawnOptions(),
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
    assert.doesNotMatch(stdout, /^E: /m);
  });

  test('is installed without Node.js, with its own user and settings that only this user may read', () => {
    assert.notEqual(run('sh', '-c', 'command -v node').status, 0);
    succeed('dpkg', '--install', '/previous.deb');
    assert.equal(succeed('stat', '-c', '%U:%G %a', '/etc/holdall/holdall.env').trim(), 'root:holdall 640');
    assert.equal(succeed('stat', '-c', '%U:%G %a', '/var/lib/holdall').trim(), 'holdall:holdall 710');
    assert.match(succeed('dpkg', '--status', 'holdall'), new RegExp(`^Version: ${PREVIOUS}$`, 'm'));
    assert.equal(succeed('holdall', '--version').trim(), `Holdall ${VERSION}`);
  });

  test('starts and stores a file, and its command leaves no root-owned files when run as root', async () => {
    const service = await start();
    const admin = await new Person('admin', service.url).logIn(lineAfter(service.output(), 'password'));
    const file = await admin.upload('/a.txt', 'kept');
    assert.equal((await admin.download(file)).toString(), 'kept');
    await service.stop();
    assert.match(succeed('holdall', 'doctor', '--deep'), /No faults\./);
    assert.equal(succeed('find', '/var/lib/holdall', '-user', 'root'), '');
  });

  test('keeps data and changed settings in an upgrade', () => {
    writeFileSync(inRoot('etc/holdall/holdall.env'), "HOLDALL_DEFAULT_DIRECTORIES='Changed'\n");
    succeed('dpkg', '--install', '/current.deb');
    assert.equal(
      readFileSync(inRoot('etc/holdall/holdall.env'), 'utf8'),
      "HOLDALL_DEFAULT_DIRECTORIES='Changed'\n",
    );
    assert.match(succeed('holdall', 'doctor'), /No faults\./);
  });

  for (const fixture of listEarlierFixtures()) {
    test(`migrates the data of ${fixture.name} in an upgrade`, async () => {
      rmSync(inRoot('var/lib/holdall'), { recursive: true });
      unpackFixture(fixture, inRoot('var/lib/holdall'));
      succeed('chown', '-R', 'holdall:holdall', '/var/lib/holdall');
      const service = await start();
      const alice = await new Person('alice', service.url).logIn(PEOPLE.alice);
      assert.deepEqual(
        await toFixtureFiles(alice),
        fixture.files.filter(({ owner }) => owner === 'alice'),
      );
      await service.stop();
      const next = MIGRATIONS[MIGRATIONS.findIndex(({ name }) => name === fixture.lastStep) + 1];
      const copy = `var/lib/holdall/holdall.db.before-${next?.name.slice(0, 4)}`;
      assert.ok(statSync(inRoot(copy)).size > 0);
    });
  }

  test('keeps settings and data when removed, and a purge removes both and the user', () => {
    succeed('dpkg', '--remove', 'holdall');
    assert.equal(existsSync(inRoot('usr/lib/holdall')), false);
    assert.ok(existsSync(inRoot('var/lib/holdall/holdall.db')));
    assert.ok(existsSync(inRoot('etc/holdall/holdall.env')));
    succeed('dpkg', '--purge', 'holdall');
    for (const name of ['var/lib/holdall', 'etc/holdall', 'usr/bin/holdall'])
      assert.ok(!existsSync(inRoot(name)), name);
    assert.notEqual(run('getent', 'passwd', 'holdall').status, 0);
  });
}
