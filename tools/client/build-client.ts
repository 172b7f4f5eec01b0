// Compiles the client library to `client/dist`, unless it was already built from the same sources.
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BuiltOutput } from '../build/built-output.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const TYPESCRIPT = 'node_modules/typescript/bin/tsc';

const OUTPUT = new BuiltOutput('client/dist', [
  'client/src/**/*',
  'client/tsconfig*.json',
  'tsconfig.json',
  'tools/client/build-client.ts',
]);

/** @throws Error with the messages of the compiler */
export function buildClient(): void {
  OUTPUT.update(() => {
    rmSync(OUTPUT.directory, { recursive: true, force: true });
    // Comments are for the editors of those who use the library, which read declarations.
    compile('--declaration', 'false', '--removeComments');
    compile('--emitDeclarationOnly');
    renameImports();
    // `npm pack` includes only files below the package's folder.
    copyFileSync(path.join(root, 'LICENSE'), path.join(root, 'client', 'LICENSE'));
  });
}

/** @throws Error with the messages of the compiler */
function compile(...options: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [TYPESCRIPT, '--pretty', 'false', '-p', 'client/tsconfig.build.json', ...options],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The client library cannot be compiled.\n${stdout}${stderr}`);
}

/** The compiler rewrites `.ts` imports to `.js` in modules, but not in declarations. This does the latter. */
function renameImports(): void {
  for (const name of globSync('**/*.d.ts', { cwd: OUTPUT.directory })) {
    const file = path.join(OUTPUT.directory, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/((?:from|import\()\s*'\.[^']*)\.ts'/g, "$1.js'"));
  }
}
