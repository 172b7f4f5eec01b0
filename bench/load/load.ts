import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../report/median.ts';
import { type Answer, HttpConnection } from './http-connection.ts';
import { requestLine } from './requests.ts';

interface Load {
  readonly port: number;
  readonly connections: number;
  /** Returns the next request for any connection; undefined ends the load. */
  readonly next: () => Buffer | undefined;
  readonly expectedStatus?: number;
  /** How long a connection pauses between two requests. */
  readonly pauseMs?: number;
}

interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly bodyBytes: number;
  readonly medianMs: number;
}

/**
 * Sends requests over several connections. Each waits for a response before it sends the next request.
 * @throws at the first response with an unexpected status; the error contains the body
 */
export async function runLoad(load: Load): Promise<LoadResult> {
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => HttpConnection.open(load.port)),
  );
  const times: number[] = [];
  let bodyBytes = 0;
  const work = async (connection: HttpConnection) => {
    for (let request = load.next(); request !== undefined; request = load.next()) {
      const before = performance.now();
      const answer = await connection.exchange(request);
      times.push(performance.now() - before);
      requireStatus(answer, load.expectedStatus ?? 200, request);
      bodyBytes += answer.bodyBytes;
      if (load.pauseMs !== undefined) await sleep(load.pauseMs);
    }
  };
  try {
    const start = performance.now();
    await Promise.all(connections.map(work));
    const seconds = (performance.now() - start) / 1_000;
    return { answers: times.length, seconds, bodyBytes, medianMs: median(times) };
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Returns each request once. */
export function each(requests: Iterable<Buffer>): () => Buffer | undefined {
  const iterator = requests[Symbol.iterator]();
  return () => iterator.next().value;
}

/** Returns the requests in turn until time is up, starting with the first. */
export function inTurnFor(seconds: number, requests: readonly Buffer[]): () => Buffer | undefined {
  let end: number | undefined;
  let index = 0;
  return () => {
    const now = performance.now();
    end ??= now + seconds * 1_000;
    if (now >= end) return undefined;
    const request = requests[index % requests.length];
    index += 1;
    return request;
  };
}

/** @throws Error with the request and the body, for any other status */
export function requireStatus(answer: Answer, expected: number, request: Buffer): void {
  if (answer.status === expected) return;
  throw new Error(`${requestLine(request)} answered ${answer.status}: ${answer.body.toString()}`);
}
