// Adds a line to a text without losing the changes of others who edit it at the same time:
// node edit-file.ts /notes.txt "milk"
import { appPassword, Holdall, PreconditionError } from '@holdall/client';

const { HOLDALL_URL = 'http://localhost:8080', HOLDALL_APP_PASSWORD = '' } = process.env;
const [path = '', line = ''] = process.argv.slice(2);

const holdall = new Holdall({ url: HOLDALL_URL, credentials: appPassword(HOLDALL_APP_PASSWORD) });
const entry = await holdall.drive.find(path);
if (entry === undefined) throw new Error(`There is no ${path}.`);
for (let isWritten = false; !isWritten; ) {
  const download = await holdall.downloads.open(entry.id);
  const text = await download.text();
  try {
    // Replaces the content only if it is still the one that was read.
    await holdall.versions.replace(entry.id, `${text}${line}\n`, { etag: download.etag });
    isWritten = true;
  } catch (error) {
    if (!(error instanceof PreconditionError)) throw error;
  }
}
console.log(`${(await holdall.versions.list(entry.id)).length} earlier versions are kept.`);
