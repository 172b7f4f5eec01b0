// Measures encrypted transfers in a real browser: records beside plain WebCrypto, and encrypted uploads to
// the service beside plain ones, over HTTP/1.1 and, through nginx, over HTTP/2 with TLS. Run
// `node tools/node.mjs bench/encryption-figures.ts`. On a busy machine the processor times say more than the
// rates.
import { randomFillSync } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { buildServer } from '../tools/build/build-server.ts';
import { buildWeb } from '../tools/build/build-web.ts';
import { findChromium } from '../tools/chromium.ts';
import { Leftovers } from '../tools/processes/leftovers.ts';
import { ListeningProgram } from '../tools/processes/listening-program.ts';
import { makeCertificate } from '../tools/programs/certificate.ts';
import { toExampleConfig } from '../tools/programs/example-nginx.ts';
import { startNginx } from '../tools/programs/nginx.ts';
import { readCpuTimes } from '../tools/testing/cpu-time.ts';
import { deleteRequest } from './load/requests.ts';
import { median } from './report/median.ts';
import { ADMIN_PASSWORD, INVITE_CODE, PASSWORD, readText, Service, USERNAME } from './service.ts';

const root = path.dirname(import.meta.dirname);
const RUNS = 5;
/** The size of the data that is encrypted in one run. */
const SEALED_MIB = 512;
const FILE_BYTES = 300_000_000;
const MB = 1_000_000;

const leftovers = new Leftovers();
leftovers.removeOnSignals();
// The files are in memory if possible, because the disk is not measured.
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const directory = mkdtempSync(path.join(parent, 'holdall-encryption-figures-'));
const remove = leftovers.add(() => rmSync(directory, { recursive: true, force: true }));
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  await measureRecords(browser);
  await measureUploads(browser);
} finally {
  await browser.close();
  remove();
}

/** Seals and opens as the page does, 1 MiB and more at a time, and the same bytes with one call each. */
async function measureRecords(within: Browser): Promise<void> {
  const contents = "export * from './records.ts'; export * from './keys.ts';";
  const resolveDir = path.join(root, 'client', 'src', 'transfer', 'encryption');
  const built = await build({
    ...{ bundle: true, write: false, format: 'iife', globalName: 'encryption' },
    stdin: { resolveDir, contents },
  });
  // Browsers give WebCrypto to pages of loopback, but not to those without an origin.
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html>'),
  );
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const page = await within.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.addScriptTag({ content: built.outputFiles[0]?.text ?? '' });
  const measured = await page.evaluate<Record<'sealed' | 'opened' | 'plain', number[]>>(`(async () => {
    const keys = await encryption.TransferKeys.derive('0'.repeat(16), new Uint8Array(16));
    const key = await keys.ofFile(0);
    const rates = { sealed: [], opened: [], plain: [] };
    const measure = async (into, work) => {
      const start = performance.now();
      for (let mib = 0; mib < ${SEALED_MIB}; mib += 2) await work(mib);
      into.push(${SEALED_MIB} * 2 ** 20 / ${MB} / ((performance.now() - start) / 1000));
    };
    const bytes = new Uint8Array(2 << 20);
    const run = { first: 0, isEnd: false };
    const sealed = await encryption.sealRecords(key, bytes, run);
    for (let count = 0; count < ${RUNS}; count += 1) {
      await measure(rates.sealed, () => encryption.sealRecords(key, bytes, run));
      await measure(rates.opened, () => encryption.openRecords(key, sealed, run));
      const cipher = { name: 'AES-GCM', iv: new Uint8Array(12) };
      await measure(rates.plain, () => crypto.subtle.encrypt(cipher, key, bytes));
    }
    return rates;
  })()`);
  await page.close();
  server.close();
  const [sealed, opened, plain] = [measured.sealed, measured.opened, measured.plain].map(median);
  if (sealed === undefined || opened === undefined || plain === undefined) return;
  say('encrypting in records', `${sealed.toFixed(0)} MB/s (goal 150)`);
  say('decrypting records', `${opened.toFixed(0)} MB/s`);
  say('plain AES-GCM of WebCrypto', `${plain.toFixed(0)} MB/s, ratio ${ratio(sealed, plain)} (goal 0.70)`);
}

/** Sends the same file plain and encrypted, in turn. */
async function measureUploads(within: Browser): Promise<void> {
  buildServer();
  buildWeb();
  const program = await ListeningProgram.start({
    script: path.join(root, 'server', 'dist', 'main.js'),
    environment: {
      HOLDALL_PORT: '0',
      HOLDALL_DATA_DIR: path.join(directory, 'data'),
      HOLDALL_RATE_LIMITS: 'off',
      HOLDALL_LOG_LEVEL: 'warn',
      HOLDALL_ADMIN_PASSWORD: ADMIN_PASSWORD,
      HOLDALL_INVITE_CODE: INVITE_CODE,
    },
  });
  const kill = leftovers.add(() => program.kill());
  const service = await Service.signUp(program, path.join(directory, 'data'));
  const certificate = await makeCertificate(directory);
  const upstreamPorts = [Number(program.url.port)];
  const dataDir = path.join(directory, 'data');
  const nginx = await startNginx(({ port }) =>
    toExampleConfig({ upstreamPorts, dataDir, certificate }, port),
  );
  const file = path.join(directory, 'film.mov');
  writeRandom(file, FILE_BYTES);
  try {
    for (const [name, origin] of [
      ['HTTP/1.1', program.url.origin],
      ['HTTP/2 and TLS', nginx.url.replace('http:', 'https:')],
    ] as const) {
      const rates = { plain: [] as number[], encrypted: [] as number[] };
      const cpuSeconds = { plain: [] as number[], encrypted: [] as number[] };
      for (let run = 0; run < RUNS; run += 1) {
        for (const how of ['plain', 'encrypted'] as const) {
          const took = await upload(within, { origin, file, isEncrypted: how === 'encrypted', service });
          rates[how].push(FILE_BYTES / MB / took.seconds);
          cpuSeconds[how].push(took.cpuSeconds);
        }
      }
      const [plain, encrypted] = [median(rates.plain), median(rates.encrypted)];
      const figures = `plain ${plain.toFixed(0)} MB/s, encrypted ${encrypted.toFixed(0)} MB/s`;
      say(`a stored transfer over ${name}`, `${figures}, ratio ${ratio(encrypted, plain)} (goal 0.80)`);
      const [plainCpu, encryptedCpu] = [median(cpuSeconds.plain), median(cpuSeconds.encrypted)];
      const times = `plain ${plainCpu.toFixed(2)} s, encrypted ${encryptedCpu.toFixed(2)} s`;
      say('its processor time, browser included', `${times}, ratio ${ratio(plainCpu, encryptedCpu)}`);
      say('load', loadavg()[0]?.toFixed(1) ?? '');
    }
  } finally {
    await nginx.stop();
    service.close();
    await program.stop();
    kill();
  }
}

interface Upload {
  readonly origin: string;
  readonly file: string;
  readonly isEncrypted: boolean;
  readonly service: Service;
}

/**
 * From the choice of the file until it is stored; the processor time is that of browser, service and proxy.
 */
async function upload(
  within: Browser,
  { origin, file, isEncrypted, service }: Upload,
): Promise<{ readonly seconds: number; readonly cpuSeconds: number }> {
  const context = await within.newContext({ baseURL: origin, locale: 'en-GB', ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto('/login?next=/transfer');
  await page.getByLabel('Username').fill(USERNAME);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Store for 7 days').click();
  if (isEncrypted) await page.getByRole('switch', { name: 'Encrypt end to end' }).check({ force: true });
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  const chooser = await choosing;
  const [start, cpuStart] = [performance.now(), sumCpuSeconds()];
  await chooser.setFiles(file);
  await page.getByText('Stored, ready to be picked up').waitFor({ timeout: 120_000 });
  const seconds = (performance.now() - start) / 1_000;
  const cpuSeconds = sumCpuSeconds() - cpuStart;
  await context.close();
  await endTransfers(service);
  return { seconds, cpuSeconds };
}

/** The processor time of all programs that this one has started. */
function sumCpuSeconds(): number {
  return [...readCpuTimes(process.pid).byProgram.values()].reduce((sum, seconds) => sum + seconds, 0);
}

async function endTransfers(service: Service): Promise<void> {
  const base = '/api/transfer/sessions';
  const sessions = await service.get(`${base}/offline/mine`);
  if (!Array.isArray(sessions)) throw new Error('The service lists no transfers.');
  for (const session of sessions) {
    await service.call(deleteRequest(`${base}/${readText(session, 'sessionId')}`, service.token));
  }
}

function writeRandom(file: string, size: number): void {
  const handle = openSync(file, 'w');
  const chunk = Buffer.alloc(1_000_000);
  for (let at = 0; at < size; at += chunk.length) writeSync(handle, randomFillSync(chunk));
  closeSync(handle);
}

function ratio(one: number, other: number): string {
  return (one / other).toFixed(2);
}

function say(name: string, figure: string): void {
  process.stdout.write(`${name}: ${figure}\n`);
}
