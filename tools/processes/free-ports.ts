import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the port range of outgoing connections: one of those could take the port of a server that is
// restarting.
const FIRST = 15_000;
const LAST = 32_000;
const MAX_TRIES = 200;

/**
 * Finds consecutive ports on 127.0.0.1 without a listener; returns the first. Random, so that concurrent
 * callers differ.
 */
export async function findFreePorts(count: number): Promise<number> {
  for (let round = 0; round < MAX_TRIES; round += 1) {
    const first = randomInt(FIRST, LAST - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
  throw new Error(`There are no ${count} free ports in a row between ${FIRST} and ${LAST}.`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
