// Runs tests again whenever a source changes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { watch } from 'chokidar';

const FOLDERS = ['server', 'web', 'client', 'cli', 'tools', 'bench'];
/** Paths that tests and builds write. */
const WRITTEN = /[/\\](?:node_modules|dist|\.cache)(?:[/\\]|$)/;
/** Editors and `git switch` write several files in a row. */
const QUIET_MS = 100;

/**
 * Runs the command line in a separate process, and again after each change, until the signal. A change during
 * a run ends that run.
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
  // Not `fs.watch`, because its recursive form misses changes to a file that an editor has replaced.
  const watcher = watch([...FOLDERS], {
    cwd: root,
    ignored: (file) => WRITTEN.test(file),
    ignoreInitial: true,
  });
  await once(watcher, 'ready');
  watcher.on('all', () => {
    isChanged = true;
    running?.kill('SIGTERM');
    wake();
  });
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
  await watcher.close();
}
