// npm run package                          builds the packages for all platforms into `dist`, and measures this one's
// npm run package -- --target linux-x64    for one platform
// npm run package -- --own                 for this platform
// npm run package -- --present             from the existing output of `npm run build`
//
// The same commit produces the same bytes: see build-packages.ts. Compressed bytes depend on the version of
// Node.js, so the packaged Node.js also builds the packages.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer } from '../build/build-server.ts';
import { buildWeb } from '../build/build-web.ts';
import { type BuiltPackage, buildPackages } from './build-packages.ts';
import { fetchPackage } from './dependencies/registry.ts';
import { measureStarts } from './measure.ts';
import { NODE_INTEGRITY, NODE_VERSION, TARGETS } from './targets.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const DIRECTORY = path.join(root, 'dist');
const MIB = 1024 * 1024;

const own = TARGETS.find(({ cpu }) => process.platform === 'linux' && cpu === process.arch);

try {
  if (process.versions.node === NODE_VERSION || own === undefined) await build();
  else process.exitCode = await buildWithPackedNode(`node-${own.name}`, NODE_INTEGRITY[own.name]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function build(): Promise<void> {
  const { values } = parseArgs({
    options: { target: { type: 'string' }, own: { type: 'boolean' }, present: { type: 'boolean' } },
  });
  const wanted = values.own ? own?.name : values.target;
  const targets = TARGETS.filter(({ name }) => wanted === undefined || name === wanted);
  if (targets.length === 0) {
    throw new Error(`--target is one of ${TARGETS.map(({ name }) => name).join(', ')}.`);
  }
  if (!values.present) {
    // Another version of Node.js may have built and compressed the existing ones.
    for (const part of ['server', 'web'])
      rmSync(path.join(root, part, 'dist'), { recursive: true, force: true });
  }
  if (isChanged()) show('There are uncommitted changes: these packages are not those of the last commit.');
  buildServer();
  buildWeb();
  rmSync(DIRECTORY, { recursive: true, force: true });
  const packages = await buildPackages(DIRECTORY, targets);
  for (const { fileName, packedBytes, unpackedBytes } of packages) {
    show(`dist/${fileName}: ${toMib(packedBytes)} packed, ${toMib(unpackedBytes)} unpacked`);
  }
  const archive = packages.find(({ fileName, target }) => target === own && fileName.endsWith('.tar.gz'));
  if (archive !== undefined) await measure(archive);
}

/** Whether a file differs from the last commit, or is not in it. False without git. */
function isChanged(): boolean {
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  return (stdout ?? '') !== '';
}

async function measure({ fileName }: BuiltPackage): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'holdall-unpacked-'));
  try {
    const { status } = spawnSync('tar', ['-xzf', path.join(DIRECTORY, fileName), '-C', directory]);
    if (status !== 0) throw new Error(`${fileName} cannot be unpacked.`);
    const program = path.join(directory, fileName.replace('.tar.gz', ''), 'bin', 'holdall');
    const { first, second } = await measureStarts(program);
    show(
      `listening after ${Math.round(first.startMs)} ms at the first start, ${Math.round(second.startMs)} ms later`,
    );
    show(`${toMib(second.idleBytes)} of memory when idle`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs this program again, with the packaged Node.js. Returns its exit code. */
async function buildWithPackedNode(name: string, integrity: string): Promise<number> {
  const program = path.join(root, '.cache', 'package', `${name}-${NODE_VERSION}`);
  if (!existsSync(program)) {
    const bytes = (await fetchPackage(name, NODE_VERSION, integrity)).get('bin/node');
    if (bytes === undefined) throw new Error('The package of Node.js is not complete.');
    mkdirSync(path.dirname(program), { recursive: true });
    writeFileSync(program, bytes);
    chmodSync(program, 0o755);
  }
  const words = [import.meta.filename, ...process.argv.slice(2)];
  return spawnSync(program, words, { stdio: 'inherit' }).status ?? 1;
}

function show(line: string): void {
  process.stdout.write(`${line}\n`);
}

function toMib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
