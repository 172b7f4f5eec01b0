import { randomBytes } from 'node:crypto';
import { inTurnFor, runLoad } from '../load/load.ts';
import { getRequest } from '../load/requests.ts';
import { type Case, inTurnWithCpu } from '../report/figure.ts';
import { withCpu } from '../report/memory.ts';
import type { Service } from '../service.ts';
import type { Bare, Stage } from '../stage.ts';

const CONNECTIONS = 16;
const KIB = 1024;
const RANGE_BYTES = 64 * KIB;
const MEGABYTE = 1_000_000;

interface Download {
  readonly port: number;
  readonly pid: number;
  readonly requests: readonly Buffer[];
  readonly expectedStatus: number;
}

export const download: Case = {
  name: 'download',
  measure: (stage) =>
    stage.withService((service) =>
      stage.withBare(async (bare) => {
        const small = await putFiles(service, bare, { count: 64, bytes: 4 * KIB });
        const middle = await putFiles(service, bare, { count: 16, bytes: 1024 * KIB });
        const large = await putFiles(service, bare, { count: 1, bytes: stage.scale.rangedFileBytes });
        const ranges = toRanges(stage.scale.rangedFileBytes);
        return [
          {
            name: 'download 4 KiB',
            unit: 'files/s',
            ...(await compare(stage, small, service.token, { headers: [''], perByte: false })),
          },
          {
            name: 'download 1 MiB',
            unit: 'MB/s',
            ...(await compare(stage, middle, service.token, { headers: [''], perByte: true })),
          },
          {
            name: 'ranges of 64 KiB',
            unit: 'ranges/s',
            ...(await compare(stage, large, service.token, { headers: ranges, perByte: false })),
          },
        ];
      }),
    ),
};

interface PutFiles {
  readonly service: Service;
  readonly servicePaths: readonly string[];
  readonly bare: Bare;
  readonly barePaths: readonly string[];
}

async function putFiles(
  service: Service,
  bare: Bare,
  files: { readonly count: number; readonly bytes: number },
): Promise<PutFiles> {
  const servicePaths: string[] = [];
  const barePaths: string[] = [];
  for (let index = 0; index < files.count; index += 1) {
    const content = randomBytes(files.bytes);
    const name = `${files.bytes}-${index}.bin`;
    bare.put(name, content);
    barePaths.push(`/api/files/download/${name}`);
    servicePaths.push(`/api/files/download/${await service.upload('/', name, content)}`);
  }
  return { service, servicePaths, bare, barePaths };
}

/** Returns 512 ranges spread over the file, the same in every run. */
function toRanges(fileBytes: number): readonly string[] {
  const places = Math.floor(fileBytes / RANGE_BYTES);
  return Array.from({ length: 512 }, (_, index) => {
    const start = ((index * 7_919) % places) * RANGE_BYTES;
    return `Range: bytes=${start}-${start + RANGE_BYTES - 1}`;
  });
}

async function compare(
  stage: Stage,
  files: PutFiles,
  token: string,
  options: { readonly headers: readonly string[]; readonly perByte: boolean },
) {
  const requestsOf = (paths: readonly string[]) =>
    paths.flatMap((path) =>
      options.headers.map((header) => getRequest(path, token, header === '' ? [] : [header])),
    );
  const expectedStatus = options.headers[0] === '' ? 200 : 206;
  const toDownload = ({ port, pid }: Service | Bare, paths: readonly string[]) => ({
    ...{ port, pid, expectedStatus },
    requests: requestsOf(paths),
  });
  const service = toDownload(files.service, files.servicePaths);
  const bare = toDownload(files.bare, files.barePaths);
  const rateOf = ({ port, pid, expectedStatus, requests }: Download, seconds: number) =>
    withCpu(pid, async () => {
      const next = inTurnFor(seconds, requests);
      const result = await runLoad({ port, connections: CONNECTIONS, next, expectedStatus });
      const amount = options.perByte ? result.bodyBytes / MEGABYTE : result.answers;
      return { value: amount / result.seconds, operations: result.answers };
    });
  await rateOf(service, stage.scale.seconds / 3);
  await rateOf(bare, stage.scale.seconds / 3);
  return inTurnWithCpu(
    stage.scale.runs,
    () => rateOf(service, stage.scale.seconds),
    () => rateOf(bare, stage.scale.seconds),
  );
}
