// Builds the web client into `web/dist`, unless the output there was built from the same sources.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { BuiltOutput } from './built-output.ts';

const root = path.dirname(import.meta.dirname);
const VITE = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/** Types of the server are erased. */
const OUTPUT = new BuiltOutput('web/dist', [
  'web/src/**/*',
  'web/public/**/*',
  'web/service-worker/**/*',
  'web/*.*',
  'package-lock.json',
  'tools/build-web.ts',
  'tools/draw-icons.ts',
]);

/** Smaller files gain nothing from compression. */
const LEAST_BYTES = 1_000;

/** Whether `web/dist` was built from the present sources. */
export function isWebBuilt(): boolean {
  return OUTPUT.isCurrent();
}

/** Builds the client if its sources have changed. @throws Error with the output of the bundler */
export function buildWeb(): 'built' | 'up to date' {
  return OUTPUT.update(() => {
    if (!existsSync(VITE)) {
      throw new Error('The web client cannot be built: install the development packages (npm ci) first.');
    }
    run('The web client does not build', [
      ...[VITE, 'build', 'web', '--emptyOutDir', '--manifest', '--logLevel', 'warn'],
    ]);
    const { directory } = OUTPUT;
    run('The icons cannot be drawn', ['tools/draw-icons.ts', path.join(directory, 'web')]);
    buildServiceWorker(directory);
    for (const file of globSync('assets/*.{js,css,svg}', { cwd: directory })) {
      compress(path.join(directory, file));
    }
  });
}

function run(complaint: string, command: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${complaint}:\n${stdout}${stderr}`);
}

/** The pages that open without a connection even if they were never open before. */
const FIRST_PAGES = ['index.html', 'src/pages/drive/drive-page.tsx', 'src/pages/login/log-in-page.tsx'];

/** A chunk in the manifest of Vite: https://vite.dev/guide/backend-integration */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** Builds the service worker, which knows the files that the first pages need. */
function buildServiceWorker(directory: string): void {
  const manifest = path.join(directory, '.vite', 'manifest.json');
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(manifest, 'utf8'));
  rmSync(path.dirname(manifest), { recursive: true });
  const files = new Set<string>();
  const add = (name: string) => {
    const { file, imports = [], css = [] } = chunks[name] ?? {};
    if (file === undefined) throw new Error(`The web client has no ${name} for its service worker.`);
    if (files.has(`/${file}`)) return;
    for (const each of [file, ...css]) files.add(`/${each}`);
    for (const each of imports) add(each);
  };
  for (const page of FIRST_PAGES) add(page);
  const build = createHash('sha256')
    .update(readFileSync(path.join(directory, 'index.html')))
    .digest('hex')
    .slice(0, 16);
  buildSync({
    absWorkingDir: root,
    entryPoints: ['web/service-worker/service-worker.ts'],
    outfile: path.join(directory, 'service-worker.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    define: { BUILD: JSON.stringify(build), FIRST_FILES: JSON.stringify([...files].sort()) },
    legalComments: 'none',
    logLevel: 'silent',
  });
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
