// Lists a directory, however many entries it has: node list-directory.ts /Documents
import { appPassword, Holdall } from '@holdall/client';

const { HOLDALL_URL = 'http://localhost:8080', HOLDALL_APP_PASSWORD = '' } = process.env;
const [directory = '/'] = process.argv.slice(2);

const holdall = new Holdall({ url: HOLDALL_URL, credentials: appPassword(HOLDALL_APP_PASSWORD) });
for await (const entry of holdall.drive.list(directory, { sort: 'modifiedAt', order: 'desc' })) {
  console.log(
    `${entry.modifiedAt}  ${String(entry.size).padStart(12)}  ${entry.path}${entry.directory ? '/' : ''}`,
  );
}
