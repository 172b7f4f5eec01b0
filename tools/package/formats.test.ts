// tier: default
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { OPERATOR_FILES } from './contents.ts';
import { toDebianVersion, toUnit } from './debian.ts';
import { checkInstalled } from './dependencies/check-installed.ts';
import { toSbom } from './dependencies/sbom.ts';
import { describeThirdParties, toComponents } from './dependencies/third-party.ts';
import { writeAr } from './formats/ar.ts';
import { stripSymbols } from './formats/elf.ts';
import { textFile } from './formats/packed-file.ts';
import { readTar, writeTar } from './formats/tar.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'holdall-formats-'));
after(() => rmSync(scratch, { recursive: true }));

const longName = `${'directory/'.repeat(12)}${'n'.repeat(90)}.txt`;
const files = [
  textFile('top/b.txt', 'content of b'),
  textFile('top/empty', ''),
  { ...textFile('top/run', '#!/bin/sh\n'), isExecutable: true },
  textFile('top/secret', 's', { mode: 0o640 }),
  textFile(longName, 'x'.repeat(1_000)),
];

test('tar reads a written archive with its directories, permissions and time', async () => {
  const archive = path.join(scratch, 'one.tar');
  writeFileSync(archive, await writeTar(files, 1_700_000_000, ['top/directory']));
  const { status, stdout, stderr } = spawnSync('tar', ['-tvf', archive], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C.UTF-8' },
  });
  assert.equal(status, 0, stderr);
  const lines = stdout.trim().split('\n');
  const ofTop = lines.filter((line) => / top\//.test(line)).map((line) => line.replace(/ +/g, ' '));
  assert.deepEqual(ofTop, [
    'drwxr-xr-x root/root 0 2023-11-14 22:13 top/',
    '-rw-r--r-- root/root 12 2023-11-14 22:13 top/b.txt',
    'drwxr-xr-x root/root 0 2023-11-14 22:13 top/directory/',
    '-rw-r--r-- root/root 0 2023-11-14 22:13 top/empty',
    '-rwxr-xr-x root/root 10 2023-11-14 22:13 top/run',
    '-rw-r----- root/root 1 2023-11-14 22:13 top/secret',
  ]);
  assert.ok(lines.some((line) => line.endsWith(longName)));
});

test('an archive reads as it was written, and does not depend on the order of the files', async () => {
  const archive = await writeTar(files, 1_700_000_000);
  assert.deepEqual(await writeTar([...files].reverse(), 1_700_000_000), archive);
  const read = await readTar(archive);
  assert.deepEqual([...read.keys()].sort(), files.map((file) => file.path).sort());
  for (const file of files) assert.deepEqual(read.get(file.path), file.bytes);
});

test('damaged or truncated archives and overlong paths are rejected', async () => {
  const archive = await writeTar(files, 0);
  const damaged = Buffer.from(archive);
  damaged.write('X', 0);
  await assert.rejects(readTar(damaged), /corrupted/);
  await assert.rejects(readTar(archive.subarray(0, archive.indexOf('content of b') + 3)), /Unexpected end/);
  for (const name of ['n'.repeat(101), `${'n'.repeat(156)}/n`, 'Größe'])
    await assert.rejects(writeTar([textFile(name, '')], 0), /does not fit/);
});

test('an ar member of odd length is padded with a line feed', () => {
  const archive = writeAr([{ name: 'odd', bytes: Buffer.from('123') }], 5).toString();
  assert.equal(
    archive,
    `!<arch>\nodd${' '.repeat(13)}5${' '.repeat(11)}0     0     100644  3${' '.repeat(9)}\`\n123\n`,
  );
});

test('a program without symbols is smaller and still runs', () => {
  const program = path.join(scratch, 'node');
  const whole = readFileSync(process.execPath);
  const stripped = stripSymbols(whole);
  assert.ok(stripped.byteLength <= whole.byteLength);
  writeFileSync(program, stripped, { mode: 0o755 });
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  assert.equal(stdout.trim(), process.version);
  assert.deepEqual(stripSymbols(stripped), stripped);
  assert.throws(() => stripSymbols(Buffer.from('#!/bin/sh')), /no 64-bit ELF/);
});

test('each package is listed once with its licence, and one without a licence is an error', () => {
  const one = { name: '@a/one', version: '1.0.0', identifier: 'MIT', text: 'Do what you like.' };
  const components = toComponents([one, { ...one }, { ...one, name: 'two', text: null }]);
  assert.deepEqual(
    components.map(({ purl }) => purl),
    ['pkg:npm/%40a/one@1.0.0', 'pkg:npm/two@1.0.0'],
  );
  assert.match(describeThirdParties(components), /- @a\/one 1\.0\.0\n\nMIT:\n\n {4}Do what you like\.\n/);
  assert.throws(
    () => describeThirdParties(toComponents([{ ...one, identifier: null, text: null }])),
    /No licence is known of @a\/one/,
  );
  const sbom = JSON.parse(toSbom({ name: 'holdall', version: '1.2.3', builtAt: 0 }, components));
  assert.deepEqual([sbom.bomFormat, sbom.specVersion, sbom.components.length], ['CycloneDX', '1.6', 2]);
  assert.match(sbom.serialNumber, /^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.deepEqual(sbom.components[0].licenses, [{ license: { id: 'MIT' } }]);
});

test('packages that npm recorded with another version or hash are rejected', () => {
  const clone = path.join(scratch, 'clone');
  mkdirSync(path.join(clone, 'node_modules'), { recursive: true });
  const write = (name: string, packages: object) =>
    writeFileSync(path.join(clone, name), JSON.stringify({ packages }));
  const one = { version: '1.0.0', integrity: 'sha512-one' };
  const place = 'node_modules/one';
  write('package-lock.json', { '': {}, server: {}, [place]: one, 'node_modules/other-machine': one });
  assert.throws(() => checkInstalled(clone), /Run "npm ci"/);
  const install = (packages: object) => write('node_modules/.package-lock.json', packages);
  install({ 'node_modules/@holdall/server': { resolved: 'server', link: true }, [place]: one });
  checkInstalled(clone);
  for (const changed of [
    { [place]: { ...one, version: '1.0.1' } },
    { [place]: { ...one, integrity: 'sha512-two' } },
    { [place]: { version: '1.0.0' } },
    { [`${place}/node_modules/one`]: one },
  ]) {
    install(changed);
    assert.throws(() => checkInstalled(clone), /node_modules\/one.*: not what package-lock\.json names/);
  }
});

test('a prerelease sorts before its release in Debian, and a changed systemd unit is noticed', () => {
  assert.equal(toDebianVersion('1.0.0-rc.1'), '1.0.0~rc.1');
  assert.throws(() => toUnit('[Service]\nExecStart=/bin/true\n'), /does not say WorkingDirectory/);
});

test('a package contains exactly the documents for operators and the tracked files of deploy', () => {
  const { stdout } = spawnSync('git', ['ls-files'], {
    cwd: path.join(import.meta.dirname, '..', '..'),
    encoding: 'utf8',
  });
  const isForOperators = (name: string) =>
    /^(?:(?!CONTRIBUTING)[A-Z]+\.md|LICENSE|deploy\/(?!Containerfile$).*|docs\/.*\.md)$/.test(name);
  const tracked = stdout.split('\n').filter(isForOperators);
  assert.deepEqual([...OPERATOR_FILES].sort(), tracked.sort());
});
