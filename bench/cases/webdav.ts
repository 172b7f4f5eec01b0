import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { needPrograms } from '../../tools/programs/debian-packages.ts';
import { runWebdavProgram } from '../../tools/programs/webdav-programs.ts';
import { each, inTurnFor, runLoad } from '../load/load.ts';
import { jsonRequest } from '../load/requests.ts';
import { type Case, type Figure, inTurnWithCpu, type Run, repeat } from '../report/figure.ts';
import { median } from '../report/median.ts';
import { readMemoryBytes, resetPeakMemory, withCpu } from '../report/memory.ts';
import { readText, type Service, USERNAME } from '../service.ts';
import { smallFiles, writeSmallFiles } from '../small-files.ts';
import { LeftOut, type Stage } from '../stage.ts';

const PEER = path.join(import.meta.dirname, '..', 'peers', 'webdav-peer.ts');
const START_TRIES = 200;
const START_PAUSE_MS = 50;
const PUT_CONNECTIONS = 8;
const CONTENT_BYTES = 4_096;
const CHECK_CONNECTIONS = 16;

/** A WebDAV server. */
interface DavServer {
  readonly port: number;
  readonly pid: number;
  /** The path of the root directory. */
  readonly path: string;
  /** Empty if the server needs no login. */
  readonly authorization: string;
}

/** Lists a directory with all properties, one request at a time, compared with Apache and rclone. */
export const propfind: Case = {
  name: 'propfind',
  measure: (stage) =>
    withPeers(stage, async (apache, rclone) => {
      const [small, middle] = stage.scale.directorySizes;
      const [apacheServer, rcloneServer] = [toServer(apache.program), toServer(rclone.program)];
      return await stage.withService(async (service) => {
        const own = await toDavServer(service);
        for (const size of [small, middle]) {
          stage.say(`making directories of ${size.toLocaleString('en')} files`);
          await service.makeDirectory(`/d${size}`);
          await service.callAll(smallFiles(service, `/d${size}`, size));
          for (const { directory } of [apache, rclone])
            await writeSmallFiles(`${directory}/files/d${size}`, size);
        }
        const compare = async (peer: DavServer, size: number) => {
          for (const server of [own, peer]) await measureListing(server, size, 1);
          return await inTurnWithCpu(
            stage.scale.runs,
            () => measureListing(own, size, stage.scale.repeats),
            () => measureListing(peer, size, stage.scale.repeats),
          );
        };
        const figures: Figure[] = [];
        for (const [size, name] of [
          [small, '1,000'],
          [middle, '10,000'],
        ] as const) {
          const unit = 'ms';
          const besideApache = await compare(apacheServer, size);
          const { runs, cpuMs } = besideApache;
          figures.push(
            { name: `PROPFIND of ${name} entries`, unit, runs, cpuMs },
            { name: `PROPFIND of ${name} entries, beside Apache`, unit, ...besideApache },
            {
              name: `PROPFIND of ${name} entries, beside rclone`,
              unit,
              ...(await compare(rcloneServer, size)),
            },
          );
        }
        figures.push({
          name: 'memory that a PROPFIND of 10,000 entries adds',
          unit: 'MB',
          runs: await repeat(stage.scale.runs, () => measureListingMemory(own, middle)),
        });
        return figures;
      });
    }),
};

/**
 * Uploads small files over WebDAV, compared with rclone's server: once with the client rclone, which waits
 * between its requests, and once without waiting.
 */
export const webdavPut: Case = {
  name: 'webdav-put',
  measure: (stage) =>
    withPeers(stage, async (_, { program }) => {
      const peer = toServer(program);
      return await stage.withService(async (service) => {
        const own = await toDavServer(service);
        const files = stage.scale.zippedFiles;
        const compare = (rateOf: (server: DavServer, run: number) => Promise<Run>) =>
          inTurnWithCpu(
            stage.scale.runs,
            (run) => rateOf(own, run),
            (run) => rateOf(peer, run),
          );
        const put = await compare((server, run) => measurePut(server, `p${run}`, files));
        const copied = await stage.withDirectory(async (directory) => {
          await writeSmallFiles(path.join(directory, 'from'), files);
          return await compare((server, run) => measureRclone(server, directory, `r${run}`, files));
        });
        return [
          { name: 'PUT of 4 KiB over WebDAV', unit: 'files/s', ...put },
          { name: 'rclone copy of 1,000 files of 4 KiB', unit: 'files/s', ...copied },
        ];
      });
    }),
};

/** Measures the time that the login with an app password adds to an otherwise empty request. */
export const appPassword: Case = {
  name: 'app-password',
  measure: (stage) =>
    stage.withService(async (service) => {
      const { authorization } = await toDavServer(service);
      const head = (at: string) => `OPTIONS ${at} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
      const nobody = Buffer.from(`${head('/')}\r\n`);
      const program = Buffer.from(`${head('/dav/')}Authorization: ${authorization}\r\n\r\n`);
      const rateOf = (sent: Buffer) =>
        withCpu(service.pid, async () => {
          const next = inTurnFor(stage.scale.seconds, [sent]);
          const result = await runLoad({ port: service.port, connections: CHECK_CONNECTIONS, next });
          return { value: result.answers / result.seconds, operations: result.answers };
        });
      for (const sent of [nobody, program]) await rateOf(sent);
      const rates = await inTurnWithCpu(
        stage.scale.runs,
        () => rateOf(program),
        () => rateOf(nobody),
      );
      const added = rates.cpuMs.map((cpuMs, run) => cpuMs - (rates.bareCpuMs[run] ?? 0));
      return [
        { name: 'OPTIONS with an app password', unit: 'requests/s', ...rates },
        { name: 'processor time of an app password', unit: 'ms', runs: added },
      ];
    }),
};

interface Peer {
  readonly program: { readonly url: URL; readonly pid: number };
  readonly directory: string;
}

/** Runs both peers at once; the one not measured is idle. @throws LeftOut if one is unavailable */
async function withPeers<T>(stage: Stage, use: (apache: Peer, rclone: Peer) => Promise<T>): Promise<T> {
  await needPrograms(['apache2', 'rclone'], ['apache2-bin', 'rclone']).catch((cause) => {
    throw new LeftOut(cause instanceof Error ? cause.message : String(cause), { cause });
  });
  return await stage.withPeer(
    PEER,
    (apache, apacheDirectory) =>
      stage.withPeer(
        PEER,
        async (rclone, rcloneDirectory) => {
          for (const { url } of [apache, rclone]) await untilListening(url);
          return await use(
            { program: apache, directory: apacheDirectory },
            { program: rclone, directory: rcloneDirectory },
          );
        },
        ['rclone'],
      ),
    ['apache'],
  );
}

async function untilListening(url: URL): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await (await fetch(url, { method: 'OPTIONS' })).arrayBuffer();
      return;
    } catch (cause) {
      if (tries === START_TRIES) throw new Error(`Nothing listens on ${url}.`, { cause });
      await sleep(START_PAUSE_MS);
    }
  }
}

function toServer({ url, pid }: Peer['program']): DavServer {
  return { port: Number(url.port), pid, path: '/', authorization: '' };
}

/** The service with a new app password. */
async function toDavServer(service: Service): Promise<DavServer> {
  const body = { name: 'bench', scope: 'WRITE' };
  const made = await service.call(jsonRequest('POST', '/api/user/app-passwords', body, service.token));
  const login = Buffer.from(`${USERNAME}:${readText(made, 'password')}`).toString('base64');
  return { port: service.port, pid: service.pid, path: '/dav/', authorization: `Basic ${login}` };
}

/** Measures the median time of a listing, in milliseconds. */
function measureListing(server: DavServer, size: number, repeats: number): Promise<Run> {
  return withCpu(server.pid, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const times: number[] = [];
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const start = performance.now();
      const xml = await list(server, `d${size}/`, agent);
      times.push(performance.now() - start);
      const found = xml.match(/<\/[a-z]+:response>/gi)?.length ?? 0;
      if (found !== size + 1) throw new Error(`${found} entries instead of ${size}: ${xml.slice(0, 300)}`);
    }
    agent.destroy();
    return { value: median(times), operations: repeats };
  });
}

/** Returns the maximum growth of the server's memory during a listing, in MB. */
async function measureListingMemory(server: DavServer, size: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  resetPeakMemory(server.pid);
  const before = readMemoryBytes(server.pid, 'VmRSS');
  await list(server, `d${size}/`, agent);
  agent.destroy();
  return (readMemoryBytes(server.pid, 'VmHWM') - before) / 1e6;
}

/** Uses node:http, because the responses are chunked, which the load client does not support. */
function list(server: DavServer, directory: string, agent: Agent): Promise<string> {
  const headers = { depth: '1', ...loginOf(server) };
  const where = { host: '127.0.0.1', port: server.port, path: server.path + directory };
  return new Promise((resolve, reject) => {
    const sent = request({ ...where, method: 'PROPFIND', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      response.on('error', reject);
    });
    sent.on('error', reject).end();
  });
}

function measurePut(server: DavServer, directory: string, files: number): Promise<Run> {
  const login = Object.values(loginOf(server)).map((value) => `Authorization: ${value}\r\n`);
  const head = (method: string, name: string, bytes: number) =>
    Buffer.from(
      `${method} ${server.path}${directory}/${name} HTTP/1.1\r\nHost: 127.0.0.1\r\n${login.join('')}` +
        `Content-Length: ${bytes}\r\n\r\n`,
    );
  const puts = Array.from({ length: files }, (_, index) =>
    Buffer.concat([head('PUT', `${index}.bin`, CONTENT_BYTES), randomBytes(CONTENT_BYTES)]),
  );
  return withCpu(server.pid, async () => {
    const load = { port: server.port, expectedStatus: 201 };
    await runLoad({ ...load, connections: 1, next: each([head('MKCOL', '', 0)]) });
    const result = await runLoad({ ...load, connections: PUT_CONNECTIONS, next: each(puts) });
    return { value: result.answers / result.seconds, operations: result.answers };
  });
}

function measureRclone(server: DavServer, directory: string, into: string, files: number): Promise<Run> {
  const headers = Object.values(loginOf(server)).flatMap((value) => ['--header', `Authorization: ${value}`]);
  const remote = `:webdav,url='http://127.0.0.1:${server.port}${server.path}':${into}`;
  const args = ['copy', '--config', '/dev/null', '--transfers', `${PUT_CONNECTIONS}`, ...headers];
  return withCpu(server.pid, async () => {
    const start = performance.now();
    const { code, output } = await runWebdavProgram('rclone', {
      args: [...args, path.join(directory, 'from'), remote],
      directory,
    });
    if (code !== 0) throw new Error(`rclone ended with ${code}: ${output}`);
    return { value: files / ((performance.now() - start) / 1_000), operations: files };
  });
}

function loginOf({ authorization }: DavServer): Readonly<Record<string, string>> {
  return authorization === '' ? {} : { authorization };
}
