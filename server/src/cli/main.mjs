// Starts the command line. Plain JavaScript, for the reasons that are given in the service's main.mjs.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

module.enableCompileCache?.(fileURLToPath(new URL('../../../.cache/compile', import.meta.url)));

const { findNodeFault } = await import('../app/node-version.ts');
const fault = findNodeFault(process.versions.node);
if (fault === undefined) {
  const { runInTerminal } = await import('./terminal.ts');
  await runInTerminal();
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
