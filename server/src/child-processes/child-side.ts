/*
 * What the programs of child processes share. They process strangers' files, so they have nothing of the
 * service: no database, no secrets in the environment, only the bytes. A process ends with its standard
 * input, and kills itself when a file takes too much.
 */
import { writeFile } from 'node:fs';
import { totalmem } from 'node:os';
import { type ChildRequest, READY, REQUEST_HEAD_BYTES, readRequestHead, toAnswer } from './messages.ts';

/** The memory limit of a process, including the bytes of the file. */
const MAX_MEMORY_BYTES = Math.min(1024 ** 3, memoryOfMachine() / 4);

/** Short, because native decoders can fill about a gigabyte per second. */
const CHECK_MS = 20;

/** What a file asks of a program. */
interface Work {
  readonly request: ChildRequest;
  readonly file: Buffer;
}

export interface Result {
  readonly outcome: number;
  readonly body?: Buffer | undefined;
  /** Whether the process must be replaced. */
  readonly isSpent?: boolean;
}

interface Program {
  readonly work: (work: Work) => Promise<Result>;
  /** The result of a file that takes too much memory or processor time. The process ends with it. */
  readonly giveUp: () => Result;
  /** The processor time that a file may take; unlimited by default. */
  readonly processorMs?: number;
}

/**
 * Runs a program for one file after another. Its event loop must stay free meanwhile, because timers enforce
 * the limits.
 */
export async function serveFiles({ work, giveUp, processorMs }: Program): Promise<void> {
  const service = process.ppid;
  // If the machine runs out of memory, the kernel ends this process instead of the service. Only Linux has
  // this file.
  writeFile('/proc/self/oom_score_adj', '1000', () => undefined);
  process.stdout.write(READY);
  for await (const each of readWork()) {
    const before = process.cpuUsage();
    let hasGivenUp = false;
    const watch = setInterval(() => {
      // The service has died, so no one reads the answer.
      if (process.ppid !== service) end();
      const { user, system } = process.cpuUsage(before);
      const isLate = processorMs !== undefined && (user + system) / 1_000 > processorMs;
      if (!isLate && process.memoryUsage.rss() <= MAX_MEMORY_BYTES) return;
      clearInterval(watch);
      hasGivenUp = true;
      // The work cannot be stopped otherwise.
      answer({ ...giveUp(), isSpent: true }, end);
    }, CHECK_MS);
    const result = await work(each);
    clearInterval(watch);
    if (!hasGivenUp) answer(result);
  }
}

function answer({ outcome, body = Buffer.alloc(0), isSpent = false }: Result, onSent?: () => void): void {
  const memoryBytes = isSpent ? Number.POSITIVE_INFINITY : process.memoryUsage.rss();
  process.stdout.write(toAnswer({ outcome, body, memoryBytes }), onSent);
}

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** The memory of the container if it has a limit, otherwise the machine's memory. */
function memoryOfMachine(): number {
  return Math.min(process.constrainedMemory() || totalmem(), totalmem());
}

/** Reads the requests from the standard input. Each file is copied once, into separate memory. */
async function* readWork(): AsyncGenerator<Work> {
  const chunks: AsyncIterator<Buffer> = process.stdin[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const readInto = async (target: Buffer): Promise<boolean> => {
    for (let filled = 0; filled < target.length; ) {
      if (rest.length === 0) {
        const { done, value } = await chunks.next();
        if (done === true) return false;
        rest = value;
      }
      const taken = rest.copy(target, filled);
      rest = rest.subarray(taken);
      filled += taken;
    }
    return true;
  };
  const head = Buffer.alloc(REQUEST_HEAD_BYTES);
  while (await readInto(head)) {
    const request = readRequestHead(head);
    const file = Buffer.allocUnsafeSlow(request.length);
    if (!(await readInto(file))) return;
    yield { request, file };
  }
}
