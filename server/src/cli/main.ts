import { findNodeFault } from '../node-version.ts';

const complain = (line: string) => {
  process.stderr.write(`${line}\n`);
};

// As in the service's own main.ts: everything else is loaded after this check.
const fault = findNodeFault(process.versions.node);
if (fault === undefined) {
  const { runCommandLine } = await import('./command-line.ts');
  const say = (line: string) => {
    process.stdout.write(`${line}\n`);
  };
  process.exitCode = await runCommandLine(process.argv.slice(2), { env: process.env, say }, complain);
} else {
  complain(fault);
  process.exitCode = 1;
}
