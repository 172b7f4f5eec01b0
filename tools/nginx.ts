import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { needPrograms, plainSurroundings } from './debian-packages.ts';
import { findFreePorts } from './free-ports.ts';
import { LastWill } from './last-will.ts';

export interface NginxSite {
  /** On 127.0.0.1; the site listens there. */
  readonly port: number;
  /** For files of the site's own; it goes with the nginx. */
  readonly directory: string;
}

export interface Nginx {
  readonly url: string;
  /** Of its own, and gone with it. */
  readonly directory: string;
  /** What it wrote to its error log, warnings included. */
  readErrors(): Promise<string>;
  /** More than one call is fine. */
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 10_000;

/** @throws Error with one sentence where it is not installed and cannot be */
export async function needNginx(): Promise<void> {
  await needPrograms(['nginx'], ['nginx']);
}

/**
 * A real nginx on a free port of loopback, as a child of ours and as whoever we are.
 * @param toConfig gives what stands inside of the `http` block; its server has to listen on the port
 * @param port for whoever has to know it before; otherwise a free one is found
 * @throws Error with what nginx says of the configuration
 */
export async function startNginx(toConfig: (site: NginxSite) => string, port?: number): Promise<Nginx> {
  await needNginx();
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-nginx-'));
  const will = new LastWill(directory);
  try {
    const listenPort = port ?? (await findFreePorts(1));
    await mkdir(path.join(directory, 'temporary'));
    await writeFile(
      path.join(directory, 'nginx.conf'),
      frame(directory, toConfig({ port: listenPort, directory })),
    );
    const server = launch(directory);
    // It ends the workers that it has started only when it is asked to.
    will.add(server, 'TERM');
    if (!(await isReady(server, listenPort)))
      throw new Error(`nginx did not start:\n${await readLog(directory)}`);
    return {
      url: `http://127.0.0.1:${listenPort}`,
      directory,
      readErrors: () => readLog(directory),
      stop: () => will.execute(),
    };
  } catch (error) {
    await will.execute();
    throw error;
  }
}

/** All that Debian's nginx.conf would set and ours does not need lies in the one directory. */
function frame(directory: string, config: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${directory}/temporary/${name};\n`,
  );
  // Started by root its workers would be somebody else, who may not read what only root can.
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

function launch(directory: string): ChildProcess {
  const log = openSync(path.join(directory, 'error.log'), 'a');
  const server = spawn('nginx', ['-p', directory, '-c', path.join(directory, 'nginx.conf')], {
    ...plainSurroundings(),
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

async function readLog(directory: string): Promise<string> {
  return readFile(path.join(directory, 'error.log'), 'utf8').catch(() => '');
}
