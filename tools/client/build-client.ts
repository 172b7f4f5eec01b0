// Compiles the client library to `client/dist`, unless the output there was made from the same sources.
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

/** @throws Error with the faults that the compiler found */
export function buildClient(): void {
  OUTPUT.update(() => {
    rmSync(OUTPUT.directory, { recursive: true, force: true });
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [TYPESCRIPT, '--pretty', 'false', '-p', 'client/tsconfig.build.json'],
      { cwd: root, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`The client library cannot be compiled.\n${stdout}${stderr}`);
    renameImports();
    // `npm pack` takes only files below the folder of the package.
    copyFileSync(path.join(root, 'LICENSE'), path.join(root, 'client', 'LICENSE'));
  });
}

/** The compiler writes `.js` for the `.ts` of imports into modules, but not into declarations. */
function renameImports(): void {
  for (const name of globSync('**/*.d.ts', { cwd: OUTPUT.directory })) {
    const file = path.join(OUTPUT.directory, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/((?:from|import\()\s*'\.[^']*)\.ts'/g, "$1.js'"));
  }
}
