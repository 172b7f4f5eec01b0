import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { CleanupProcess } from '../../processes/cleanup-process.ts';
import { findFreePorts } from '../../processes/free-ports.ts';
import { plainSpawnOptions } from '../../programs/debian-packages.ts';
import { type CephPlan, monitorAddress, planCeph, toCephConfig } from './ceph-config.ts';

const run = promisify(execFile);

/** Twice the maximum number of ports of an OSD, because a port in between may be taken. */
const OSD_PORTS = 20;
const STEP_LIMIT_MS = 60_000;
const SHOWN_LOG_CHARACTERS = 2_000;

interface GatewayUser {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Options {
  /** A command prefix for each daemon, such as `['taskset', '-c', '0']`. It must exec the daemon. */
  readonly prefix?: readonly string[];
  /** The minimum size of all parts but the last. The default is 5 MiB, as with Amazon. */
  readonly minPartBytes?: number;
  /** Stores objects compressed, so that gigabytes of zeros need hardly any memory. */
  readonly isCompressed?: boolean;
}

/**
 * The daemons of a small Ceph, as child processes with our user id. They are ended by SIGKILL: on SIGTERM, an
 * OSD would first write its memory to disk.
 */
export class S3Cluster {
  readonly endpoint: string;
  readonly #plan: CephPlan;
  readonly #port: number;
  readonly #cleanup: CleanupProcess;
  readonly #prefix: readonly string[];
  #gateway: ChildProcess | undefined;

  private constructor(plan: CephPlan, port: number, cleanup: CleanupProcess, prefix: readonly string[]) {
    this.endpoint = `http://127.0.0.1:${port}`;
    this.#plan = plan;
    this.#port = port;
    this.#cleanup = cleanup;
    this.#prefix = prefix;
  }

  /**
   * @param directory an empty directory; the cleanup process removes it and ends the daemons
   * @throws Error with the logs if a daemon does not start
   */
  static async start(
    directory: string,
    cleanup: CleanupProcess,
    user: GatewayUser,
    { prefix = [], minPartBytes, isCompressed = false }: S3Options,
  ): Promise<S3Cluster> {
    const port = await findFreePorts(OSD_PORTS + 2);
    const osdPorts = { first: port + 2, count: OSD_PORTS };
    const plan = planCeph({ directory, monitorPort: port + 1, osdPorts, minPartBytes });
    const cluster = new S3Cluster(plan, port, cleanup, prefix);
    try {
      await cluster.#startStore();
      await cluster.#addUser(user);
      if (isCompressed) await cluster.#compress();
      await cluster.startGateway();
    } catch (cause) {
      throw new Error(`Ceph did not start: ${String(cause)}\n${await readLogs(directory)}`, { cause });
    }
    return cluster;
  }

  /** Starts the gateway. Resolves when it answers. */
  async startGateway(): Promise<void> {
    if (this.#gateway !== undefined) return;
    const frontend = `beast endpoint=127.0.0.1:${this.#port} tcp_nodelay=1`;
    const gateway = this.#launch('radosgw', ['-f', '-n', 'client.rgw.a', '--rgw-frontends', frontend]);
    this.#gateway = gateway;
    for (let waitedMs = 0; !(await this.#answers()); waitedMs += 20) {
      if (hasEnded(gateway)) throw new Error('the gateway ended');
      if (waitedMs > STEP_LIMIT_MS) throw new Error('the gateway does not answer');
      await sleep(20);
    }
  }

  /** Ends the gateway immediately, with all its connections. Stored objects stay. */
  async stopGateway(): Promise<void> {
    const gateway = this.#gateway;
    this.#gateway = undefined;
    if (gateway === undefined || hasEnded(gateway)) return;
    const end = once(gateway, 'exit');
    gateway.ref();
    gateway.kill('SIGKILL');
    await end;
  }

  async #startStore(): Promise<void> {
    const { directory, clusterId, monitorPort } = this.#plan;
    for (const name of ['mon', 'osd', 'rgw', 'run', 'log']) await mkdir(path.join(directory, name));
    await writeFile(this.#config, toCephConfig(this.#plan));

    const map = path.join(directory, 'monitors');
    const address = monitorAddress(monitorPort);
    await this.#call('monmaptool', ['--create', '--fsid', clusterId, '--addv', 'a', address, map]);
    await this.#call('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map]);
    this.#launch('ceph-mon', ['-f', '-i', 'a']);

    const osdId = randomUUID();
    await this.#call('ceph', ['osd', 'new', osdId]);
    await this.#call('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', osdId]);
    this.#launch('ceph-osd', ['-f', '-i', '0']);
  }

  async #addUser({ accessKeyId, secretAccessKey }: GatewayUser): Promise<void> {
    const keys = ['--access-key', accessKeyId, '--secret', secretAccessKey];
    await this.#call('radosgw-admin', ['user', 'create', '--uid=holdall', '--display-name=Holdall', ...keys]);
  }

  async #compress(): Promise<void> {
    const place = ['--rgw-zone=default', '--placement-id=default-placement'];
    await this.#call('radosgw-admin', ['zone', 'placement', 'modify', ...place, '--compression=lz4']);
  }

  /** Whether the gateway answers a request of the anonymous user, who may list their own buckets. */
  async #answers(): Promise<boolean> {
    try {
      const answer = await fetch(this.endpoint, { signal: AbortSignal.timeout(2_000) });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }

  get #config(): string {
    return path.join(this.#plan.directory, 'ceph.conf');
  }

  async #call(program: string, words: readonly string[]): Promise<void> {
    const options = { ...plainSpawnOptions(), timeout: STEP_LIMIT_MS, killSignal: 'SIGKILL' } as const;
    // Every program of Ceph reads the configuration, except the one that creates maps, which needs none.
    const config = program === 'monmaptool' ? [] : ['-c', this.#config];
    await run(program, [...config, ...words], options);
  }

  /** Its output goes to a file, because a pipe that no one reads would block it. */
  #launch(program: string, words: readonly string[]): ChildProcess {
    const log = openSync(path.join(this.#plan.directory, 'log', `${program}.out`), 'a');
    const [command = program, ...rest] = [...this.#prefix, program, '-c', this.#config, ...words];
    const daemon = spawn(command, rest, {
      ...plainSpawnOptions(),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    // If a daemon cannot be started, whoever waits for it reports that.
    daemon.on('error', () => {});
    this.#cleanup.add(daemon);
    return daemon;
  }
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

async function readLogs(directory: string): Promise<string> {
  const logs = path.join(directory, 'log');
  const names = await readdir(logs).catch(() => []);
  const texts = await Promise.all(
    names.map((name) => readFile(path.join(logs, name), 'utf8').catch(() => '')),
  );
  return names
    .map((name, index) => [name, (texts[index] ?? '').trim().slice(-SHOWN_LOG_CHARACTERS)] as const)
    .filter(([, said]) => said !== '')
    .map(([name, said]) => `— ${name}:\n${said}\n`)
    .join('');
}
