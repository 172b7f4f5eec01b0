import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

export interface Pinning {
  /** A command prefix that gives a server its own core. */
  readonly serverPrefix: readonly string[];
  /** A command prefix for a store that both servers use. It runs on any core. */
  readonly storePrefix: readonly string[];
  readonly description: string;
}

const SERVER_CORE = '0';
const CLIENT_CORE = '1';

/**
 * Pins this process, the client, to core 1, and returns how to pin a server to core 0. So neither takes the
 * other's time, and a figure means "on one core". If pinning is impossible, it prints that, and figures mean
 * less.
 */
export function pinCores(): Pinning {
  const self = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', CLIENT_CORE, String(process.pid)]);
  const server = spawnSync('taskset', ['--cpu-list', SERVER_CORE, 'true']);
  if (self.error !== undefined)
    return { serverPrefix: [], storePrefix: [], description: 'NOT pinned to cores: no taskset here' };
  const client =
    self.status === 0 ? `client on core ${CLIENT_CORE}` : `client NOT pinned (no core ${CLIENT_CORE})`;
  const storePrefix = ['taskset', '--cpu-list', `0-${cpus().length - 1}`];
  if (server.status !== 0)
    return { serverPrefix: [], storePrefix, description: `${client}, server NOT pinned` };
  return {
    serverPrefix: ['taskset', '--cpu-list', SERVER_CORE],
    storePrefix,
    description: `server on core ${SERVER_CORE}, ${client}`,
  };
}
