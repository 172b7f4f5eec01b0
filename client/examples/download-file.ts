// Downloads a file and verifies its checksum. Run it again after a crash to continue:
// node download-file.ts /Videos/film.mp4 film.mp4
import { appPassword, Holdall } from '@holdall/client';
import { saveFile } from '@holdall/client/node';

const { HOLDALL_URL = 'http://localhost:8080', HOLDALL_APP_PASSWORD = '' } = process.env;
const [path = '', target = ''] = process.argv.slice(2);

const { drive, downloads } = new Holdall({
  url: HOLDALL_URL,
  credentials: appPassword(HOLDALL_APP_PASSWORD),
});
const entry = await drive.find(path);
if (entry === undefined) throw new Error(`There is no ${path}.`);
const receivedBytes = await saveFile(downloads, entry.id, target, {
  // The first Ctrl+C ends the download, and keeps the bytes that have arrived.
  signal: AbortSignal.any([AbortSignal.timeout(24 * 3_600_000), interrupted()]),
});
console.log(`${receivedBytes} of ${entry.size} bytes were received now.`);

function interrupted(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}
