// Measures a package: the time from its start until it listens, and its memory when idle.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Longer than the service needs to release its start-up memory. */
const IDLE_MS = 3_000;

interface Measurement {
  readonly startMs: number;
  /** The memory of the process, without shared pages. */
  readonly idleBytes: number;
}

/**
 * Starts the service twice in the same data directory, which is empty at first.
 * @param program the `holdall` command of an unpacked package
 */
export async function measureStarts(program: string): Promise<{ first: Measurement; second: Measurement }> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdall-measured-'));
  try {
    return { first: await measureStart(program, dataDir), second: await measureStart(program, dataDir) };
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

async function measureStart(program: string, dataDir: string): Promise<Measurement> {
  const begun = performance.now();
  const child = spawn(program, ['serve'], {
    env: { PATH: '/usr/bin:/bin', HOLDALL_DATA_DIR: dataDir, HOLDALL_PORT: '0', HOLDALL_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface(child.stdout)) {
      if (!line.startsWith('listening on ')) continue;
      const startMs = performance.now() - begun;
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      const memory = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
      return { startMs, idleBytes: Number(memory) * 1024 };
    }
    throw new Error('The package does not start.');
  } finally {
    child.kill();
    await ended;
  }
}
