// Lets people without an account upload into a directory, and sends a file as one of them:
// node collect-files.ts /Inbox
import { appPassword, Holdall } from '@holdall/client';

const { HOLDALL_URL = 'http://localhost:8080', HOLDALL_APP_PASSWORD = '' } = process.env;
const [directory = '/Inbox'] = process.argv.slice(2);

const holdall = new Holdall({ url: HOLDALL_URL, credentials: appPassword(HOLDALL_APP_PASSWORD) });
const { id } = (await holdall.drive.find(directory)) ?? (await holdall.drive.makeDirectory(directory));
const { token } = await holdall.folderLinks.create({ directoryId: id, mode: 'UPLOAD', maxFiles: 100 });

const visitor = new Holdall({ url: HOLDALL_URL }).folderLinks.visit(token);
console.log(`${(await visitor.about()).title} takes ${(await visitor.about()).remainingFiles} files.`);
await visitor.put('I was here.', { filename: 'greeting.txt', sender: 'Tom' });
for await (const entry of holdall.drive.list(directory)) console.log(entry.path);
