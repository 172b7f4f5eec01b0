import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** Runs a program of `test/support` several times at once and gives what each of them printed, errors included. */
export function startPrograms(
  file: string,
  times: number,
  words: readonly string[],
): Promise<readonly string[]> {
  const program = path.join(import.meta.dirname, '..', file);
  return Promise.all(
    Array.from({ length: times }, async () => {
      const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
      const [printed, faults] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return printed + faults;
    }),
  );
}
