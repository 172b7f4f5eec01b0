import { findNodeFault } from './node-version.ts';

// Everything else is loaded after this check: on an old Node.js the database's native part would end the process.
const fault = findNodeFault(process.versions.node);
if (fault === undefined) {
  const { run } = await import('./run.ts');
  await run();
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
