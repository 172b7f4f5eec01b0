import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { toExampleConfig } from '../../tools/programs/example-nginx.ts';
import { inTurnFor, runLoad } from '../load/load.ts';
import { getRequest } from '../load/requests.ts';
import { type Case, type Figure, inTurn } from '../report/figure.ts';
import type { Service } from '../service.ts';
import type { Stage } from '../stage.ts';

const CONNECTIONS = 16;
const FILES = 16;
const SIZES = [
  ['4 KiB', 4 * 1024],
  ['1 MiB', 1024 * 1024],
] as const;

const ENVIRONMENT = {
  HOLDALL_ACCEL_REDIRECT: '/_objects/',
  HOLDALL_TRUST_PROXY: '127.0.0.1,::1',
};

/**
 * Downloads through nginx with the shipped configuration: the service checks who asks and nginx sends the
 * file. The partner is an nginx that sends the same files to anybody. Service and nginx share one core.
 */
export const nginx: Case = {
  name: 'nginx',
  measure: (stage) =>
    stage.withService((service) => stage.withDirectory((files) => measureBoth(stage, service, files)), {
      environment: ENVIRONMENT,
    }),
};

function measureBoth(stage: Stage, service: Service, files: string): Promise<readonly Figure[]> {
  const example = { upstreamPorts: [service.port], dataDir: service.dataDir };
  return stage.withNginx(
    ({ port }) => toExampleConfig(example, port),
    (port) =>
      stage.withNginx(
        (bare) => `server { listen 127.0.0.1:${bare.port}; root ${files}; sendfile on; }`,
        async (barePort) => {
          const figures: Figure[] = [];
          for (const [name, bytes] of SIZES) {
            const requests = await putFiles(service, files, bytes);
            const rates = await compare(
              stage,
              { port, requests: requests.own },
              { port: barePort, requests: requests.bare },
            );
            figures.push({ name: `download ${name} behind nginx`, unit: 'files/s', ...rates });
          }
          return figures;
        },
      ),
  );
}

async function putFiles(service: Service, directory: string, bytes: number) {
  const own: Buffer[] = [];
  const bare: Buffer[] = [];
  for (let index = 0; index < FILES; index += 1) {
    const content = randomBytes(bytes);
    const name = `${bytes}-${index}.bin`;
    await writeFile(path.join(directory, name), content);
    bare.push(getRequest(`/${name}`));
    own.push(getRequest(`/api/files/download/${await service.upload('/', name, content)}`, service.token));
  }
  return { own, bare };
}

interface Target {
  readonly port: number;
  readonly requests: readonly Buffer[];
}

async function compare({ scale }: Stage, own: Target, bare: Target) {
  const rateOf = async ({ port, requests }: Target, seconds: number) => {
    const next = inTurnFor(seconds, requests);
    const result = await runLoad({ port, connections: CONNECTIONS, next });
    return result.answers / result.seconds;
  };
  for (const target of [own, bare]) await rateOf(target, scale.seconds / 3);
  return await inTurn(
    scale.runs,
    () => rateOf(own, scale.seconds),
    () => rateOf(bare, scale.seconds),
  );
}
