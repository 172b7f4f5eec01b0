// Builds the web client into `web/dist`, unless the output there was built from the same sources.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { BuiltOutput } from './built-output.ts';

const root = path.dirname(import.meta.dirname);
const VITE = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/** Types of the server are erased. */
const OUTPUT = new BuiltOutput('web/dist', [
  'web/src/**/*',
  'web/public/**/*',
  'web/*.*',
  'package-lock.json',
  'tools/build-web.ts',
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
    const vite = spawnSync(process.execPath, [VITE, 'build', 'web', '--emptyOutDir', '--logLevel', 'warn'], {
      cwd: root,
      encoding: 'utf8',
    });
    if (vite.status !== 0) throw new Error(`The web client does not build:\n${vite.stdout}${vite.stderr}`);
    const { directory } = OUTPUT;
    for (const file of globSync('assets/*.{js,css,svg}', { cwd: directory })) {
      compress(path.join(directory, file));
    }
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
