import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

export interface Pinning {
  /** Precedes the command of a server, so that it has its own core. */
  readonly serverPrefix: readonly string[];
  /** Precedes the command of a store that both use: it runs on any core. */
  readonly storePrefix: readonly string[];
  readonly description: string;
}

const SERVER_CORE = '0';
const CLIENT_CORE = '1';

/**
 * Puts this process, the client, on core 1 and returns how to put a server on core 0, so that neither takes
 * the other's time and a figure means "on one core". If that is not possible, it says so, and figures mean
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
