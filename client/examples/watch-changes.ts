// Prints all changes in the drive, without a gap between two runs: node watch-changes.ts 3
import { readFile, writeFile } from 'node:fs/promises';
import { appPassword, Holdall } from '@holdall/client';

const { HOLDALL_URL = 'http://localhost:8080', HOLDALL_APP_PASSWORD = '' } = process.env;
const { CURSOR_FILE = './holdall-cursor' } = process.env;
const most = Number(process.argv[2] ?? Number.POSITIVE_INFINITY);

const holdall = new Holdall({ url: HOLDALL_URL, credentials: appPassword(HOLDALL_APP_PASSWORD) });
const stored = await readFile(CURSOR_FILE, 'utf8').catch(() => undefined);
let count = 0;
// Ends only with this program, because broken streams are opened again.
for await (const event of holdall.events.watch({
  cursor: stored === undefined ? undefined : Number(stored),
})) {
  if (event.kind === 'ready') console.log('watching');
  if (event.kind === 'resync') console.log('Some changes are missing: list everything again.');
  if (event.kind === 'change') {
    const { eventType, fromPath, toPath } = event.change;
    console.log(`${eventType} ${[fromPath, toPath].filter((path) => path !== null).join(' -> ')}`);
    count += 1;
  }
  await writeFile(CURSOR_FILE, String(event.cursor));
  if (count >= most) break;
}
