// Measures the web client in a real browser: the size of the first page, the time until a list is painted,
// scrolling in a directory of 100,000 entries, and 1,000 photos in the upload queue beside a plain page and
// curl. Run `node tools/node.mjs bench/web-figures.ts`; with `--only photos` it measures the photos alone. On
// a machine with other load, CPU times are more reliable than elapsed times.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildServer } from '../tools/build/build-server.ts';
import { buildWeb } from '../tools/build/build-web.ts';
import { findChromium } from '../tools/chromium.ts';
import { Leftovers } from '../tools/processes/leftovers.ts';
import { ListeningProgram } from '../tools/processes/listening-program.ts';
import { ADMIN_PASSWORD, INVITE_CODE, PASSWORD, Service, USERNAME } from './service.ts';
import { measurePhotoUploads } from './web/photo-uploads.ts';
import { readTrace } from './web/trace.ts';

const root = path.dirname(import.meta.dirname);
const ENTRIES = 100_000;
const VISITS = 5;
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

const isOnlyPhotos = parseArgs({ options: { only: { type: 'string' } } }).values.only === 'photos';
const leftovers = new Leftovers();
leftovers.removeOnSignals();
// The files are in memory if possible, because the disk is not measured.
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const dataDir = mkdtempSync(path.join(parent, 'holdall-web-figures-'));
const remove = leftovers.add(() => rmSync(dataDir, { recursive: true, force: true }));
buildServer();
buildWeb();
const program = await ListeningProgram.start({
  script: path.join(root, 'server', 'dist', 'main.js'),
  environment: {
    HOLDALL_PORT: '0',
    HOLDALL_DATA_DIR: dataDir,
    HOLDALL_RATE_LIMITS: 'off',
    HOLDALL_LOG_LEVEL: 'warn',
    HOLDALL_ADMIN_PASSWORD: ADMIN_PASSWORD,
    HOLDALL_INVITE_CODE: INVITE_CODE,
  },
});
const kill = leftovers.add(() => program.kill());
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const service = await Service.signUp(program, dataDir);
  if (!isOnlyPhotos) await fillDrive(service);
  const storageState = await logIn(browser);
  if (!isOnlyPhotos) await measureReading(browser, storageState);
  await measurePhotoUploads({
    ...{ browser, service, dataDir, say },
    openClient: () => openPage(browser, storageState),
    openOther: () => openPage(browser),
  });
  service.close();
} finally {
  await browser.close();
  await program.stop();
  kill();
  remove();
}

async function fillDrive(service: Service): Promise<void> {
  const directory = await service.makeDirectory('/Large');
  const like = await service.upload('/', 'like.jpg', Buffer.from('not much'));
  // As the service does, except for events, because nobody listens yet.
  const database = new DatabaseSync(path.join(dataDir, 'holdall.db'));
  database.exec('pragma busy_timeout = 10000');
  database.exec(`
    begin immediate;
    with recursive number (n) as (select 0 union all select n + 1 from number where n + 1 < ${ENTRIES})
    insert into entry (owner_id, parent_id, name, folded_name, sort_name, is_directory, blob_id, size, content_type, kind, created_at, updated_at)
    select owner_id, ${directory}, printf('IMG_%06d.jpg', n), printf('img_%06d.jpg', n), printf('img_%06d.jpg', n), 0, blob_id,
      (n * 7919) % 9000000, content_type, kind, created_at - n * 60000, updated_at - n * 60000
    from number, entry as like_it where like_it.id = ${like};
    update entry set child_count = ${ENTRIES} where id = ${directory};
    commit`);
  database.close();
}

async function logIn(browser: Browser): Promise<State> {
  const context = await browser.newContext({
    baseURL: program.url.origin,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('Username').fill(USERNAME);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('grid').waitFor();
  const storageState = await context.storageState();
  await context.close();
  return storageState;
}

async function measureReading(browser: Browser, storageState: State): Promise<void> {
  const { first, idle } = await weighScripts(browser, storageState);
  say('JavaScript until the list of a drive is there', `${first} kB gzip`);
  say('JavaScript that comes when the page is idle', `${idle} kB gzip`);
  for (const [name, place] of [
    ['a drive', '/drive'],
    ['100,000 entries', '/drive/Large'],
  ] as const) {
    const times: number[] = [];
    for (let visit = 0; visit < VISITS; visit++)
      times.push(await timeFirstList(browser, storageState, place));
    const sorted = times.toSorted((a, b) => a - b);
    say(
      `first list painted, ${name}, nothing in the cache`,
      `${sorted[VISITS >> 1]} ms (${sorted.join(', ')})`,
    );
  }
  for (const view of ['list', 'tiles'] as const) await measureScrolling(browser, storageState, view);
}

type State = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;

async function openPage(browser: Browser, storageState?: State): Promise<Page> {
  const context = await browser.newContext({
    baseURL: program.url.origin,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    ...(storageState !== undefined && { storageState }),
  });
  return context.newPage();
}

/** The size of the scripts until the list is shown, and of those loaded later automatically, in kB. */
async function weighScripts(browser: Browser, storageState: State): Promise<{ first: number; idle: number }> {
  const page = await openPage(browser, storageState);
  const files = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) files.add(pathname);
  });
  await page.goto('/drive');
  await page.getByRole('row', { name: 'Documents' }).waitFor();
  const first = weigh(files);
  await page.waitForTimeout(1_000);
  const idle = Math.round((weigh(files) - first) * 10) / 10;
  await page.context().close();
  return { first, idle };
}

function weigh(files: ReadonlySet<string>): number {
  const sizes = Array.from(
    files,
    (file) => gzipSync(readFileSync(path.join(root, 'web', 'dist', file))).length,
  );
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 100) / 10;
}

/** Milliseconds from the request of the page to the frame that shows the list. */
async function timeFirstList(browser: Browser, storageState: State, place: string): Promise<number> {
  const page = await openPage(browser, storageState);
  // As text, because the page does not share this program's types.
  await page.addInitScript(`{
    const look = () => {
      if (document.querySelector('[role=row] a') === null) return requestAnimationFrame(look);
      setTimeout(() => { document.documentElement.dataset.paintedAt = performance.now(); });
    };
    look();
  }`);
  await page.goto(place);
  const time = Number(await page.locator('html[data-painted-at]').getAttribute('data-painted-at'));
  await page.context().close();
  return Math.round(time);
}

/** Scrolls steadily, then jumps from end to end, and reads the trace. */
async function measureScrolling(
  browser: Browser,
  storageState: State,
  view: 'list' | 'tiles',
): Promise<void> {
  const page = await openPage(browser, storageState);
  await page.addInitScript(`localStorage.setItem('holdall.drive-look', '{"view":"${view}"}')`);
  await page.goto('/drive/Large');
  await page.getByRole('link', { name: 'IMG_000000.jpg' }).waitFor();
  await page.waitForTimeout(500);
  const rides = [
    ['steadily, 90 px a frame', `(top) => top + 90`, 400],
    ['flying, all of it in 200 frames', `(top, height) => top + height / 200`, 200],
    ['jumping, to and fro', `(top, height) => (top + height * 0.37) % height`, 60],
  ] as const;
  for (const [name, step, frames] of rides) {
    await browser.startTracing(page, { categories: CATEGORIES });
    const gaps = await ride(page, step, frames);
    const trace = readTrace(await browser.stopTracing());
    const sorted = gaps.toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    say(
      `${view}, ${name}`,
      `frames: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms; ` +
        `longest task ${trace.longestMs} ms by the clock, ${trace.longestCpuMs} ms of the processor; ` +
        `${trace.over50} tasks over 50 ms`,
    );
  }
  await page.context().close();
}

/** Returns the milliseconds between consecutive frames. */
async function ride(page: Page, step: string, frames: number): Promise<readonly number[]> {
  const gaps: unknown = await page.evaluate(`new Promise((resolve) => {
    const grid = document.querySelector('[role=grid]');
    const next = ${step};
    const gaps = [];
    let before = 0;
    grid.scrollTop = 0;
    const frame = (now) => {
      if (before > 0) gaps.push(now - before);
      before = now;
      if (gaps.length >= ${frames}) return resolve(gaps);
      grid.scrollTop = next(grid.scrollTop, grid.scrollHeight - grid.clientHeight);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);
  if (!Array.isArray(gaps)) throw new Error('The page told no frames.');
  return gaps.map(Number);
}

function say(name: string, figure: string): void {
  process.stdout.write(`${name}: ${figure}\n`);
}
