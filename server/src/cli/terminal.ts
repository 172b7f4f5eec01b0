import { createInterface } from 'node:readline';
import { onStopSignals } from '../app/process/stop-signals.ts';
import { escapeControlsInLines } from '../base/text/escapes.ts';
import { runCommandLine } from './command-line.ts';
import { ProgressLine } from './progress.ts';

/** Runs the command line with the arguments of this process and sets its exit code. */
export async function runInTerminal(): Promise<void> {
  const args = process.argv.slice(2);
  const end = new AbortController();
  // `serve` installs its own signal handlers.
  if (args[0] !== 'serve')
    onStopSignals(
      () => end.abort(),
      () => process.exit(1),
    );
  const line = new ProgressLine(process.stderr);
  process.exitCode = await runCommandLine(
    args,
    {
      env: process.env,
      say: (text) => {
        line.clear();
        process.stdout.write(`${escapeControlsInLines(text)}\n`);
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
      process.stderr.write(`${escapeControlsInLines(text)}\n`);
    },
  );
}
