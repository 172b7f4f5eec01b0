// Sends a file, and receives it by its code: node send-file.ts letter.pdf
import { appPassword, Holdall } from '@holdall/client';
import { openFile } from '@holdall/client/node';

const { HOLDALL_URL = 'http://localhost:8080', HOLDALL_APP_PASSWORD = '' } = process.env;
const [file = ''] = process.argv.slice(2);

const { transfers } = new Holdall({ url: HOLDALL_URL, credentials: appPassword(HOLDALL_APP_PASSWORD) });
const source = await openFile(file);
const sent = await transfers.create({ mode: 'OFFLINE', files: [{ name: source.name, size: source.size }] });
for (const { id } of sent.files) await transfers.upload(sent.sessionId, id, source);
console.log(`The code is ${sent.pickupCode}.`);

// A receiver without an account.
const receiver = new Holdall({ url: HOLDALL_URL }).transfers;
const { sessionId, files } = await receiver.find(sent.pickupCode);
await receiver.join(sessionId);
for (const { id, name } of files) {
  const bytes = await (await receiver.open(sessionId, id)).bytes();
  console.log(`${name}: ${bytes.length} bytes`);
}
