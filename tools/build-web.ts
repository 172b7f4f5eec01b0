// Builds the web client into `web/dist`, unless the output there was built from the same sources.
//
// npm run build            which `npm start` runs first
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = path.dirname(import.meta.dirname);
const VITE = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
const DIST = path.join(root, 'web', 'dist');
const BUILT_FROM = path.join(DIST, '.built-from');

/** Every input of the build. Types of the server are erased. */
const SOURCES = ['web/src/**/*', 'web/public/**/*', 'web/*.*', 'package-lock.json', 'tools/build-web.ts'];

/** Smaller files gain nothing from compression. */
const LEAST_BYTES = 1_000;

/** Whether `web/dist` was built from the current sources. */
export function isWebBuilt(): boolean {
  return isBuiltFrom(hashSources());
}

/** Builds the client if its sources have changed. @throws Error with the output of the bundler */
export function buildWeb(): 'built' | 'up to date' {
  const sources = hashSources();
  if (isBuiltFrom(sources)) return 'up to date';
  if (!existsSync(VITE)) {
    throw new Error('The web client cannot be built: install the development packages (npm ci) first.');
  }
  const vite = spawnSync(process.execPath, [VITE, 'build', 'web', '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (vite.status !== 0) throw new Error(`The web client does not build:\n${vite.stdout}${vite.stderr}`);
  for (const file of globSync('assets/*.{js,css,svg}', { cwd: DIST })) compress(path.join(DIST, file));
  writeFileSync(BUILT_FROM, sources);
  return 'built';
}

function isBuiltFrom(sources: string): boolean {
  return existsSync(BUILT_FROM) && readFileSync(BUILT_FROM, 'utf8') === sources;
}

function hashSources(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

/** Compressed in advance, next to the file, so that no request waits for it. */
function compress(file: string): void {
  const bytes = readFileSync(file);
  if (bytes.byteLength < LEAST_BYTES) return;
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
}

if (import.meta.main) {
  try {
    buildWeb();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
