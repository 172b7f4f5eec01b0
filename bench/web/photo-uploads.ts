import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { deleteRequest } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { readCpuSeconds } from '../report/memory.ts';
import type { Service } from '../service.ts';
import { readProcessTimes } from './process-times.ts';

const PHOTOS = 1_000;
const PHOTO_BYTES = 3_000_000;
/** The upload queue sends this many files at once. */
const AT_ONCE = 5;
const RUNS = 3;

export interface PhotoUploads {
  readonly browser: Browser;
  readonly service: Service;
  /** Where the photos are written. */
  readonly dataDir: string;
  /** A page of the client with a login. */
  readonly openClient: () => Promise<Page>;
  /** A page without one. */
  readonly openOther: () => Promise<Page>;
  readonly say: (name: string, figure: string) => void;
}

/** What one way to upload takes for a photo; times are processor milliseconds. */
interface Cost {
  readonly megabytesPerSecond: number;
  readonly service: number;
  readonly renderer: number;
  readonly browser: number;
}

/**
 * Uploads the same number of photos with the client, with a plain page of the same origin that sends one form
 * for each, and with curl, in turn, each into a new directory. The plain page shows what the browser can do.
 */
export async function measurePhotoUploads(parts: PhotoUploads): Promise<void> {
  const { service, dataDir, say } = parts;
  const folder = path.join(dataDir, 'photos');
  mkdirSync(folder);
  const files = Array.from({ length: PHOTOS }, (_, index) => path.join(folder, `IMG_${10_000 + index}.jpg`));
  const content = Buffer.alloc(PHOTO_BYTES);
  const costs = new Map<string, Cost[]>();
  for (let run = 0; run < RUNS; run += 1) {
    for (const [by, upload] of [
      ['client', uploadWithClient],
      ['plain page', uploadWithPlainPage],
      ['curl', uploadWithCurl],
    ] as const) {
      // New bytes each time: the service would know those of the run before.
      for (const file of files) await writeFile(file, randomFillSync(content));
      const directory = `/${by} ${run}`;
      const id = await service.makeDirectory(directory);
      const cost = await upload(parts, files, directory);
      costs.set(by, [...(costs.get(by) ?? []), cost]);
      await service.callAll([deleteRequest(`/api/files/${id}`, service.token)]);
      await service.callAll([deleteRequest(`/api/files/recycle-bin/${id}`, service.token)]);
    }
  }
  const rateOf = (by: string) => median((costs.get(by) ?? []).map((cost) => cost.megabytesPerSecond));
  for (const [by, runs] of costs) {
    const medianOf = (figure: keyof Cost) => median(runs.map((cost) => cost[figure])).toFixed(1);
    say(
      `${PHOTOS.toLocaleString('en')} photos of 3 MB, ${by}`,
      `${rateOf(by).toFixed(0)} MB/s; processor time for each: service ${medianOf('service')} ms, ` +
        `page ${medianOf('renderer')} ms, rest of the browser ${medianOf('browser')} ms`,
    );
  }
  const client = rateOf('client');
  say('client beside the plain page', (client / rateOf('plain page')).toFixed(2));
  say('client beside curl', `${(client / rateOf('curl')).toFixed(2)} (goal 0.8)`);
}

async function uploadWithClient(
  parts: PhotoUploads,
  files: readonly string[],
  directory: string,
): Promise<Cost> {
  const page = await parts.openClient();
  await page.goto(`/drive${directory}`);
  const choose = page.locator('input[name=files]');
  await choose.waitFor({ state: 'attached' });
  const cost = await measure(parts, files.length, async () => {
    await choose.setInputFiles(files);
    await page.getByText(`${files.length} files uploaded`).first().waitFor({ timeout: 600_000 });
  });
  await page.context().close();
  return cost;
}

async function uploadWithPlainPage(
  parts: PhotoUploads,
  files: readonly string[],
  directory: string,
): Promise<Cost> {
  const page = await parts.openOther();
  await page.goto('/login');
  await page.evaluate(`document.body.innerHTML = '<input type="file" name="plain" multiple>'`);
  const choose = page.locator('input[name=plain]');
  const { token } = parts.service;
  // As text, because the page does not share this program's types.
  const send = `(async () => {
    const files = [...document.querySelector('input[name=plain]').files];
    const work = async () => {
      for (let file = files.shift(); file !== undefined; file = files.shift()) {
        const body = new FormData();
        body.set('path', ${JSON.stringify(directory)});
        body.set('file', file, file.name);
        const headers = { authorization: ${JSON.stringify(`Bearer ${token}`)} };
        const response = await fetch('/api/files/upload', { method: 'POST', headers, body });
        if (!response.ok) throw new Error('The upload was answered ' + response.status);
        await response.json();
      }
    };
    await Promise.all(Array.from({ length: ${AT_ONCE} }, work));
  })()`;
  const cost = await measure(parts, files.length, async () => {
    await choose.setInputFiles(files);
    await page.evaluate(send);
  });
  await page.context().close();
  return cost;
}

async function uploadWithCurl(
  parts: PhotoUploads,
  files: readonly string[],
  directory: string,
): Promise<Cost> {
  const { service, dataDir } = parts;
  const config = path.join(dataDir, 'curl.conf');
  const transfers = files.map((file) =>
    [
      `url = "http://127.0.0.1:${service.port}/api/files/upload"`,
      `header = "Authorization: Bearer ${service.token}"`,
      `form-string = "path=${directory}"`,
      `form = "file=@${file}"`,
      'output = "/dev/null"',
    ].join('\n'),
  );
  writeFileSync(config, transfers.join('\nnext\n'));
  const how = ['--silent', '--fail-early', '--parallel', '--parallel-max', String(AT_ONCE)];
  return await measure(parts, files.length, async () => {
    await promisify(execFile)('curl', [...how, '--config', config]);
  });
}

async function measure(
  { browser, service }: PhotoUploads,
  photos: number,
  upload: () => Promise<void>,
): Promise<Cost> {
  const before = { ...(await readProcessTimes(browser)), service: readCpuSeconds(service.pid) };
  const start = performance.now();
  await upload();
  const seconds = (performance.now() - start) / 1_000;
  const after = { ...(await readProcessTimes(browser)), service: readCpuSeconds(service.pid) };
  const msEach = (figure: 'service' | 'renderer' | 'others') =>
    ((after[figure] - before[figure]) * 1_000) / photos;
  return {
    megabytesPerSecond: (photos * PHOTO_BYTES) / 1_000_000 / seconds,
    service: msEach('service'),
    renderer: msEach('renderer'),
    browser: msEach('others'),
  };
}
