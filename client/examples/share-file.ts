// Shares a file with a password for a week, and downloads it as a visitor:
// node share-file.ts /letter.pdf secret
import { appPassword, ForbiddenError, Holdall } from '@holdall/client';

const { HOLDALL_URL = 'http://localhost:8080', HOLDALL_APP_PASSWORD = '' } = process.env;
const [path = '', password = ''] = process.argv.slice(2);

const holdall = new Holdall({ url: HOLDALL_URL, credentials: appPassword(HOLDALL_APP_PASSWORD) });
const entry = await holdall.drive.find(path);
if (entry === undefined) throw new Error(`There is no ${path}.`);
const expiresAt = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString();
const { token } = await holdall.shares.create({ fileId: entry.id, password, expiresAt, maxDownloads: 10 });
console.log(`${HOLDALL_URL}/s/${token}`);

// A visitor without an account.
const visit = new Holdall({ url: HOLDALL_URL }).shares.visit(token);
await visit.open().catch((error: unknown) => {
  if (!(error instanceof ForbiddenError)) throw error;
  console.log('The visitor needs the password.');
});
await visit.unlock(password);
const download = await visit.open();
console.log(`${download.filename}: ${(await download.bytes()).length} bytes`);
