// Runs tests again whenever a source changes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['server', 'web', 'client', 'cli', 'tools', 'bench'];
const SOURCE = /\.(?:ts|tsx|mjs|css|json|html|md)$/;
/** What tests and builds write. */
const WRITTEN = /(?:^|\/)(?:node_modules|dist|\.cache)\//;
/** An editor writes several files one after another. */
const QUIET_MS = 100;

/**
 * Runs the command line in a process of its own, and again after each change, until the signal. A change during a
 * run ends that run.
 */
export async function runOnChange(
  root: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const command = [path.join(root, 'tools', 'test.ts'), ...words.filter((word) => word !== '--watch')];
  let running: ChildProcess | undefined;
  let isChanged = true;
  let wake = () => {};
  const onChange = (name: string) => {
    if (!SOURCE.test(name) || WRITTEN.test(name)) return;
    isChanged = true;
    running?.kill('SIGTERM');
    wake();
  };
  const watchers = FOLDERS.map((folder) =>
    watch(path.join(root, folder), { recursive: true }, (_, name) => onChange(name ?? '')),
  );
  const end = () => {
    running?.kill('SIGTERM');
    wake();
  };
  signal.addEventListener('abort', end, { once: true });
  while (!signal.aborted) {
    if (isChanged) {
      isChanged = false;
      running = spawn(process.execPath, command, { cwd: root, stdio: 'inherit' });
      await once(running, 'close');
      if (!isChanged && !signal.aborted) process.stdout.write('Waiting for a change (Ctrl+C ends).\n');
    } else {
      await new Promise<void>((resolve) => {
        wake = () => setTimeout(resolve, signal.aborted ? 0 : QUIET_MS);
      });
    }
  }
  for (const watcher of watchers) watcher.close();
}
