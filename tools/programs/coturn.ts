// A real TURN server, for tests of quick transfers between browsers that cannot reach each other.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CleanupProcess } from '../processes/cleanup-process.ts';
import { findFreePorts } from '../processes/free-ports.ts';
import { findProgram, needPrograms, plainSpawnOptions } from './debian-packages.ts';

interface Coturn {
  /** The address, in the format of `HOLDALL_ICE_SERVERS`. */
  readonly url: string;
  /** The content of its log. */
  readLog(): Promise<string>;
  /** May be called repeatedly. */
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 10_000;
/** The number of relay ports. Each connection needs one for each of its two ends. */
const RELAY_PORTS = 40;

/** @throws Error with one sentence if it is missing and cannot be installed */
export async function needCoturn(): Promise<void> {
  await needPrograms(['turnserver'], ['coturn']);
}

/**
 * Starts a coturn on loopback that accepts only credentials derived from the secret (`use-auth-secret`). It
 * relays from loopback to loopback, which must not be allowed in production.
 * @throws Error with its log
 */
export async function startCoturn(secret: string): Promise<Coturn> {
  await needCoturn();
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-coturn-'));
  const cleanup = new CleanupProcess(directory);
  const log = path.join(directory, 'coturn.log');
  const readLog = () => readFile(log, 'utf8').catch(() => '');
  try {
    const port = await findFreePorts(1 + RELAY_PORTS);
    const server = launch(directory, log, [
      ...['-n', '--no-cli', '--no-tls', '--no-dtls', '--no-multicast-peers', '--allow-loopback-peers'],
      ...['--listening-ip=127.0.0.1', '--relay-ip=127.0.0.1', `--listening-port=${port}`],
      ...[`--min-port=${port + 1}`, `--max-port=${port + RELAY_PORTS}`, '--relay-threads=1'],
      ...['--use-auth-secret', `--static-auth-secret=${secret}`, '--realm=holdall.test'],
      ...[`--userdb=${directory}/users`, `--pidfile=${directory}/pid`, '--log-file=stdout', '--verbose'],
    ]);
    cleanup.add(server, 'TERM');
    if (!(await isReady(server, port))) throw new Error(`coturn did not start:\n${await readLog()}`);
    return { url: `turn:127.0.0.1:${port}`, readLog, stop: () => cleanup.run() };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

function launch(directory: string, logFile: string, args: readonly string[]): ChildProcess {
  const log = openSync(logFile, 'a');
  const program = findProgram('turnserver') ?? 'turnserver';
  const { env } = plainSpawnOptions();
  const server = spawn(program, args, { cwd: directory, env, stdio: ['ignore', log, log] });
  closeSync(log);
  server.on('error', () => {});
  return server;
}

async function isReady(server: ChildProcess, port: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += 20) {
    if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return false;
    if (await takesConnections(port)) return true;
    await sleep(20);
  }
  return false;
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isTaken: boolean) => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
