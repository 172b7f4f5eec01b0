import { enableCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findNodeFault } from '../app/node-version.ts';

const complain = (line: string) => {
  process.stderr.write(`${line}\n`);
};

// As in the service's main.ts: everything else is loaded after this check, because an old Node.js crashes on it.
const fault = findNodeFault(process.versions.node);
if (fault === undefined) {
  enableCompileCache(fileURLToPath(new URL('../../../.cache/compile', import.meta.url)));
  const [{ runCommandLine }, { ProgressLine }, { onStopSignals }] = await Promise.all([
    import('./command-line.ts'),
    import('./progress.ts'),
    import('../app/stop-signals.ts'),
  ]);
  const words = process.argv.slice(2);
  const end = new AbortController();
  // `serve` installs its own signal handlers.
  if (words[0] !== 'serve')
    onStopSignals(
      () => end.abort(),
      () => process.exit(1),
    );
  const line = new ProgressLine(process.stderr);
  process.exitCode = await runCommandLine(
    words,
    {
      env: process.env,
      say: (text) => {
        line.clear();
        process.stdout.write(`${text}\n`);
      },
      progress: (sentence) => line.show(sentence),
      signal: end.signal,
      readLine: async () => {
        for await (const text of createInterface(process.stdin)) return text;
        return '';
      },
    },
    (text) => {
      line.clear();
      complain(text);
    },
  );
} else {
  complain(fault);
  process.exitCode = 1;
}
