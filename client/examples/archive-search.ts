// Packs everything that a search finds into one archive in the drive: node archive-search.ts "letter"
import { appPassword, Holdall } from '@holdall/client';

const { HOLDALL_URL = 'http://localhost:8080', HOLDALL_APP_PASSWORD = '' } = process.env;
const [words = ''] = process.argv.slice(2);

const holdall = new Holdall({ url: HOLDALL_URL, credentials: appPassword(HOLDALL_APP_PASSWORD) });
const found = await holdall.drive.search({ q: words, type: 'file' }).toArray();
const fileIds = found.slice(0, 1_000).map((entry) => entry.id);
console.log(`${fileIds.length} files were found.`);
const { id } = await holdall.tasks.archive({ fileIds, path: '/', name: 'found.zip' });
const task = await holdall.tasks.wait(id, { everyMs: 200, signal: AbortSignal.timeout(600_000) });
console.log(task.status, task.errorMessage ?? '');
