import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { each, inTurnFor, runLoad } from '../load/load.ts';
import { getRequest } from '../load/requests.ts';
import { type Case, inTurn, repeat } from '../report/figure.ts';
import type { Service } from '../service.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;
const FILES = 64;

/** The size of the plain download that cached thumbnails are compared with: about that of a thumbnail. */
const PLAIN_BYTES = 20_000;

/** Thumbnails of photos of 3 MB and 12 megapixels: first ones, and from the cache. */
export const thumbnails: Case = {
  name: 'thumbnails',
  measure: (stage) =>
    stage.withService(async (service) => {
      const photo = await makePhoto();
      const photos: number[] = [];
      for (let index = 0; index < stage.scale.photos; index += 1) {
        photos.push(await service.upload('/', `photo-${index}.jpg`, photo));
      }
      const requests = photos.map((id) => thumbnailRequest(service, id));
      // The processes that decode run on the core of the service, so the figure is that of one core.
      const first = await repeat(stage.scale.runs, async () => {
        await rm(path.join(service.dataDir, 'thumbnails'), { recursive: true, force: true });
        const load = { port: service.port, connections: CONNECTIONS, next: each(requests) };
        const { answers, seconds } = await runLoad(load);
        return answers / seconds;
      });
      return [
        { name: 'first thumbnails of photos of 3 MB', unit: 'pictures/s', runs: first },
        {
          name: 'thumbnail from the cache, beside a download of 20 kB',
          unit: 'pictures/s',
          ...(await compareCached(service, requests.slice(0, FILES), stage.scale)),
        },
      ];
    }),
};

async function compareCached(
  service: Service,
  cached: readonly Buffer[],
  scale: { readonly runs: number; readonly seconds: number },
) {
  const plain: Buffer[] = [];
  for (let index = 0; index < FILES; index += 1) {
    const id = await service.upload('/', `plain-${index}.bin`, randomBytes(PLAIN_BYTES));
    plain.push(getRequest(`/api/files/download/${id}`, service.token));
  }
  const rateOf = async (requests: readonly Buffer[], seconds = scale.seconds) => {
    const next = inTurnFor(seconds, requests);
    const result = await runLoad({ port: service.port, connections: CONNECTIONS, next });
    return result.answers / result.seconds;
  };
  await rateOf(cached, WARM_UP_SECONDS);
  await rateOf(plain, WARM_UP_SECONDS);
  return inTurn(
    scale.runs,
    () => rateOf(cached),
    () => rateOf(plain),
  );
}

function thumbnailRequest({ token }: Service, id: number): Buffer {
  return getRequest(`/api/v2/files/${id}/thumbnail?size=256`, token);
}

/** A photo as a camera makes it: 12 megapixels, of which each eighth has some detail of its own. */
async function makePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const detail = sharp({ create: { width: 1_000, height: 750, channels: 3, noise, background: '#000' } });
  return detail.resize(4_000, 3_000).jpeg({ quality: 88 }).toBuffer();
}
