// tier: full
// needs: build, process
// Runs `npm run dev` with its own data directory. To restart the service, only the modification time of a
// file is changed, not its content.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Person } from '../../server/test/support/app/person.ts';
import { EventReader } from '../../server/test/support/events/event-reader.ts';
import { waitFor } from '../../server/test/support/tasks/tasks.ts';
import { ListeningProgram } from '../processes/listening-program.ts';

const SOURCE = path.join(import.meta.dirname, '..', '..', 'server', 'src', 'site', 'not-pages.ts');
const ADMIN_PASSWORD = 'a made-up passphrase';

const dataDir = mkdtempSync(path.join(tmpdir(), 'holdall-dev-'));
const program = await ListeningProgram.start({
  script: path.join(import.meta.dirname, 'main.ts'),
  environment: { HOLDALL_PORT: '0', HOLDALL_DATA_DIR: dataDir, HOLDALL_ADMIN_PASSWORD: ADMIN_PASSWORD },
});
const firstService = servicePid();
after(async () => {
  await program.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
const admin = new Person('admin', program.url.href);

test('npm run dev prints one address and the invite code', async () => {
  await waitFor(
    () => program.output,
    (output) => /^invite code for one registration: \S+$/m.test(output),
  );
  const addresses = new Set(program.output.match(/http:\/\/127\.0\.0\.1:\d+/g));
  assert.deepEqual([...addresses], [program.url.origin]);
});

test('every page comes from Vite, whatever its path ends with', async () => {
  for (const address of ['/', '/login', '/drive/Documents/main.js']) {
    const response = await get(address, { accept: 'text/html' });
    assert.equal(response.status, 200, address);
    assert.match(await response.text(), /<script type="module" src="\/@vite\/client">/, address);
  }
  assert.match(await textOf('/src/main.tsx'), /createRoot/);
});

test('pages can connect to Vite by WebSocket', async () => {
  const socket = new WebSocket(new URL('/', program.url), 'vite-ping');
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  socket.close();
});

test('Vite serves no files outside the web client', async () => {
  for (const file of ['package.json', 'server/src/main.mjs']) {
    const address = `/@fs${path.join(import.meta.dirname, '..', '..', file)}?raw`;
    assert.equal((await get(address)).status, 403, file);
  }
});

test('the service answers everything else', async () => {
  assert.match(await textOf('/'), /"status":"ok"/);
  assert.match(await textOf('/api/v2/site/ping'), /"apiVersion":"v2"/);
  assert.match(await textOf('/frames/docx.html'), /<title>Document</);
  const options = await get('/', {}, 'OPTIONS');
  assert.match(options.headers.get('allow') ?? '', /PROPFIND/);
  const properties = await get('/dav/', { depth: '1' }, 'PROPFIND');
  assert.equal(properties.status, 401);
  assert.match(properties.headers.get('www-authenticate') ?? '', /^Basic realm="Holdall"/);
});

test('browsers find no service worker', async () => {
  assert.equal((await get('/service-worker.js')).status, 404);
});

test('an upload, a download and an event stream pass through', async () => {
  await admin.logIn(ADMIN_PASSWORD);
  const reader = await EventReader.open(admin);
  assert.equal((await reader.next()).event, 'READY');
  const content = Buffer.alloc(3_000_000, 'dev');
  const file = await admin.upload('/Documents/large.bin', content);
  assert.equal((await reader.next()).data.fileId, file.id);
  assert.deepEqual(await admin.download(file), content);
  reader.close();
});

test('requests get 503 while the service is down, and a changed file restarts it', async () => {
  process.kill(firstService, 'SIGKILL');
  const failed = await waitFor(ping, ({ status }) => status === 503);
  assert.match(await failed.text(), /^The service is not running/);
  assert.equal((await get('/login', { accept: 'text/html' })).status, 200);
  const now = new Date();
  utimesSync(SOURCE, now, now);
  await waitFor(ping, ({ status }) => status === 200);
  assert.notEqual(servicePid(), firstService);
});

test('Ctrl+C ends the command and the service', async () => {
  const service = servicePid();
  process.kill(program.pid, 'SIGINT');
  await waitFor(
    () => program.hasEnded,
    (hasEnded) => hasEnded,
  );
  assert.throws(() => process.kill(service, 0), { code: 'ESRCH' });
});

function get(address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(new URL(address, program.url), { method, headers });
}

async function textOf(address: string): Promise<string> {
  const response = await get(address);
  assert.equal(response.status, 200, address);
  return await response.text();
}

function ping(): Promise<Response> {
  return get('/api/v2/site/ping');
}

/** The process that wrote the last line of the log. */
function servicePid(): number {
  return Number(
    program.output
      .match(/"pid":\d+/g)
      ?.at(-1)
      ?.slice('"pid":'.length),
  );
}
