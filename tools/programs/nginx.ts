import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CleanupProcess } from '../processes/cleanup-process.ts';
import { findFreePorts } from '../processes/free-ports.ts';
import { needPrograms, plainSpawnOptions } from './debian-packages.ts';

interface NginxSite {
  /** The port on 127.0.0.1 on which the site listens. */
  readonly port: number;
  /** A directory for the site's files; removed when nginx stops. */
  readonly directory: string;
}

export interface Nginx {
  readonly url: string;
  /** The directory of this nginx, removed when it stops. */
  readonly directory: string;
  /** The content of its error log, warnings included. */
  readErrors(): Promise<string>;
  /** The content of the access log `access.log` in its directory, if the configuration writes one. */
  readAccesses(): Promise<string>;
  /** May be called repeatedly. */
  stop(): Promise<void>;
}

interface NginxOptions {
  /** The port, for callers that must know it in advance. By default, a free one is chosen. */
  readonly port?: number | undefined;
  /** A command prefix, for example to choose the core. */
  readonly prefix?: readonly string[];
}

const READY_WITHIN_MS = 10_000;

/** @throws Error with one sentence if it is missing and cannot be installed */
export async function needNginx(): Promise<void> {
  await needPrograms(['nginx'], ['nginx']);
}

/**
 * Starts a real nginx on loopback, as a child process with our user id.
 * @param toConfig returns the content of the `http` block; its server must listen on the port
 * @throws Error with nginx's message about the configuration
 */
export async function startNginx(
  toConfig: (site: NginxSite) => string,
  { port, prefix = [] }: NginxOptions = {},
): Promise<Nginx> {
  await needNginx();
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-nginx-'));
  const cleanup = new CleanupProcess(directory);
  try {
    const listenPort = port ?? (await findFreePorts(1));
    await mkdir(path.join(directory, 'temporary'));
    await writeFile(
      path.join(directory, 'nginx.conf'),
      frame(directory, toConfig({ port: listenPort, directory })),
    );
    const server = launch(directory, prefix);
    // Without this signal, nginx would leave its workers running.
    cleanup.add(server, 'TERM');
    if (!(await isReady(server, listenPort)))
      throw new Error(`nginx did not start:\n${await readLog(directory, 'error.log')}`);
    return {
      url: `http://127.0.0.1:${listenPort}`,
      directory,
      readErrors: () => readLog(directory, 'error.log'),
      readAccesses: () => readLog(directory, 'access.log'),
      stop: () => cleanup.run(),
    };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** A complete nginx.conf. All paths that Debian's nginx.conf would set are in this one directory. */
function frame(directory: string, config: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${directory}/temporary/${name};\n`,
  );
  // If root starts nginx, its workers would run as another user, who cannot read root's files.
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  return `${user}daemon off;
worker_processes 1;
pid ${directory}/pid;
error_log ${directory}/error.log warn;
events { worker_connections 512; }
http {
${temporary.join('')}  access_log off;
  types { text/plain txt; text/html html htm; application/octet-stream bin; }
  default_type application/octet-stream;
${config}
}
`;
}

function launch(directory: string, prefix: readonly string[]): ChildProcess {
  const log = openSync(path.join(directory, 'error.log'), 'a');
  const words = [...prefix, 'nginx', '-p', directory, '-c', path.join(directory, 'nginx.conf')];
  const [program = 'nginx', ...args] = words;
  const server = spawn(program, args, {
    ...plainSpawnOptions(),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  server.on('error', () => {});
  return server;
}

async function isReady(server: ChildProcess, port: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += 10) {
    if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return false;
    if (await takesConnections(port)) return true;
    await sleep(10);
  }
  return false;
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function readLog(directory: string, name: string): Promise<string> {
  return readFile(path.join(directory, name), 'utf8').catch(() => '');
}
