// tier: full
// needs: build
// The archive and the Debian package for this machine, built as by `npm run package` but less compressed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { buildOwnPackages } from '../../../tools/package/build-own.ts';
import { VERSION } from '../../../tools/package/contents.ts';
import { readTar } from '../../../tools/package/formats/tar.ts';
import { lineAfter } from '../support/app/main-program.ts';
import { Person } from '../support/app/person.ts';
import { linePage, makePdf } from '../support/documents/pdf-files.ts';
import { makePng } from '../support/media/pictures.ts';
import { runPacked, startPacked, unpack } from '../support/package/packages.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');
const scratch = mkdtempSync(path.join(tmpdir(), 'holdall-package-'));
after(() => rmSync(scratch, { recursive: true }));

const built = await buildOwnPackages(path.join(scratch, 'dist'));
const home = unpack(built.archive, path.join(scratch, 'unpacked'));
const dataDir = path.join(scratch, 'data');

test('the same sources build the same bytes, wherever the clone is', () => {
  // Builds the packages again from a copy in another place, with another time zone and other permissions.
  const clone = path.join(scratch, 'elsewhere', 'clone');
  for (const name of readdirSync(root)) {
    if (/^(?:\.git|\.cache|dist|node_modules|data)$/.test(name)) continue;
    cpSync(path.join(root, name), path.join(clone, name), {
      recursive: true,
      filter: (file) => !/\/(?:node_modules|test|fixtures)$/.test(file),
    });
  }
  for (const name of ['node_modules', 'server/node_modules', '.cache']) {
    if (existsSync(path.join(root, name))) symlinkSync(path.join(root, name), path.join(clone, name));
  }
  const script = `import { buildOwnPackages } from ${JSON.stringify(path.join(clone, 'tools/package/build-own.ts'))};
    await buildOwnPackages(${JSON.stringify(path.join(scratch, 'again'))});`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `process.umask(0o077);${script}`],
    {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'Asia/Kolkata' },
    },
  );
  assert.equal(status, 0, stderr);
  const sums = readFileSync(path.join(scratch, 'dist', 'SHA256SUMS'), 'utf8');
  assert.equal(sums.trim().split('\n').length, 2);
  assert.equal(readFileSync(path.join(scratch, 'again', 'SHA256SUMS'), 'utf8'), sums);
  const check = spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: path.join(scratch, 'dist') });
  assert.equal(check.status, 0);
});

test('a package has the native library that draws PDFs, for its own platform only', () => {
  const files = readdirSync(path.join(home, 'node_modules'), { recursive: true }).map(String);
  assert.ok(files.some((file) => file.endsWith('pdfjs-dist/legacy/build/pdf.mjs')));
  assert.equal(files.filter((file) => /skia\..*\.node$/.test(file)).length, 1);
});

test('a package starts without another Node.js, stores a file and shows the web client', async () => {
  const service = await startPacked(home, { HOLDALL_DATA_DIR: dataDir });
  const admin = await new Person('admin', service.url).logIn(lineAfter(service.output(), 'password'));
  const content = Buffer.alloc(300_000, 'packed');
  const file = await admin.upload('/packed.bin', content);
  assert.deepEqual(await admin.download(file), content);
  const picture = await admin.upload('/picture.png', makePng(300, 200));
  const thumbnail = await admin.fetch('GET', `/api/v2/files/${picture.id}/thumbnail?size=256`);
  assert.deepEqual([thumbnail.status, thumbnail.headers.get('content-type')], [200, 'image/webp']);
  const letter = await admin.upload('/letter.pdf', makePdf([linePage('packed')]));
  const page = await admin.fetch('GET', `/api/v2/files/${letter.id}/thumbnail?size=256`);
  assert.equal(page.status, 200);
  for (const address of ['/', '/api/docs/']) {
    const response = await fetch(new URL(address, service.url), { headers: { accept: 'text/html' } });
    assert.deepEqual(
      [response.status, response.headers.get('content-type')],
      [200, 'text/html; charset=utf-8'],
    );
  }
  const doctor = runPacked(home, ['doctor', '--deep'], { HOLDALL_DATA_DIR: dataDir });
  assert.match(doctor.stdout, /No faults\./, doctor.stderr);
  await service.stop();
});

test('the command of a package runs through a symbolic link and says its version', () => {
  const link = path.join(scratch, 'holdall');
  symlinkSync(path.join(home, 'bin', 'holdall'), link);
  const { status, stdout } = spawnSync(link, ['--version'], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  });
  assert.deepEqual([status, stdout], [0, `Holdall ${VERSION}\n`]);
});

test('a package keeps compiled code in the data directory if it cannot write next to the program', () => {
  const readOnly = path.join(scratch, 'read-only');
  cpSync(home, readOnly, { recursive: true });
  rmSync(path.join(readOnly, '.cache'), { recursive: true, force: true });
  // A file blocks the directory, because root ignores missing permissions.
  writeFileSync(path.join(readOnly, '.cache'), '');
  const { status, stderr } = runPacked(readOnly, ['--version'], { HOLDALL_DATA_DIR: dataDir });
  assert.equal(status, 0, stderr);
  assert.ok(existsSync(path.join(dataDir, 'compile-cache')));
});

test('a package contains nothing of the machine that built it, and nothing only developers need', () => {
  for (const file of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const name = path.join(file.parentPath, file.name);
    assert.doesNotMatch(file.name, /\.(?:ts|map|test\.js)$/, name);
    if (!file.isFile() || name.startsWith(path.join(home, '.cache'))) continue;
    assert.ok(!readFileSync(name).includes(`${root}/`), name);
  }
});

test('a package names the licence of everything in it', () => {
  const { components } = JSON.parse(readFileSync(path.join(home, 'sbom.cdx.json'), 'utf8'));
  const text = readFileSync(path.join(home, 'THIRD-PARTY.md'), 'utf8');
  for (const { name, version } of components) assert.ok(text.includes(`- ${name} ${version}\n`), name);
  const names = new Set(components.map(({ name }: { name: string }) => name));
  const inBoth = [
    'Node.js',
    'fastify',
    'kysely',
    'react',
    'better-sqlite3',
    'sharp',
    'libheif-js',
    `@img/sharp-libvips-linux-${process.arch}`,
  ];
  for (const name of inBoth) assert.ok(names.has(name), name);
  for (const directory of readdirSync(path.join(home, 'node_modules'))) {
    const packages = directory.startsWith('@')
      ? readdirSync(path.join(home, 'node_modules', directory)).map((name) => `${directory}/${name}`)
      : [directory];
    for (const name of packages) assert.ok(names.has(name), name);
  }
  assert.match(readFileSync(path.join(home, 'LICENSE'), 'utf8'), /^GNU AFFERO GENERAL PUBLIC LICENSE/);
});

test('the Debian package has the program, the unit, the settings and the scripts of Debian', async () => {
  const { control, data } = await readDebianPackage(built.debian);
  const text = (name: string) => data.get(`./${name}`)?.toString() ?? '';
  assert.match(
    control.get('./control')?.toString() ?? '',
    new RegExp(`^Version: ${VERSION.replaceAll('.', '\\.')}$`, 'm'),
  );
  assert.equal(control.get('./conffiles')?.toString(), '/etc/holdall/holdall.env\n');
  const unit = text('lib/systemd/system/holdall.service');
  for (const [, program = ''] of unit.matchAll(/^ExecStart=(\S+)/gm))
    assert.ok(data.has(`.${program}`), program);
  assert.doesNotMatch(unit, /\/opt\//);
  const backup = text('lib/systemd/system/holdall-backup.service');
  assert.match(backup, /^ExecStart=\/usr\/lib\/holdall\/bin\/holdall backup \/var\/backups\/holdall$/m);
  assert.match(backup, /^EnvironmentFile=-\/etc\/holdall\/holdall\.env$/m);
  assert.doesNotMatch(backup, /\/opt\//);
  assert.match(text('lib/systemd/system/holdall-backup.timer'), /^OnCalendar=/m);
  // Backups are off until someone asks for them.
  assert.doesNotMatch(control.get('./postinst')?.toString() ?? '', / (?:enable|start) holdall-backup/);
  // Contains only comments: every setting has its default at first.
  assert.doesNotMatch(text('etc/holdall/holdall.env'), /^[^#\n]/m);
  for (const name of ['./postinst', './prerm', './postrm']) {
    const { status, stderr } = spawnSync('sh', ['-n'], { input: control.get(name), encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, ''], name);
  }
});

/** Reads the members of `ar`, and the archives in them. */
async function readDebianPackage(file: string) {
  const bytes = readFileSync(file);
  const members = new Map<string, Buffer>();
  for (let at = 8; at < bytes.byteLength; ) {
    const name = bytes.toString('latin1', at, at + 16).trim();
    const size = Number(bytes.toString('latin1', at + 48, at + 58));
    members.set(name, bytes.subarray(at + 60, at + 60 + size));
    at += 60 + size + (size % 2);
  }
  const read = (name: string) => readTar(gunzipSync(members.get(name) ?? Buffer.alloc(0)));
  return { control: await read('control.tar.gz'), data: await read('data.tar.gz') };
}
