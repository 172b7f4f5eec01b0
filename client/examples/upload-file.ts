// Uploads a file of any size. Run it again after a crash to continue:
// node upload-file.ts film.mp4 /Videos
import { readFile, rm, writeFile } from 'node:fs/promises';
import { appPassword, ExpiredError, Holdall, NotFoundError } from '@holdall/client';
import { openFile } from '@holdall/client/node';

const { HOLDALL_URL = 'http://localhost:8080', HOLDALL_APP_PASSWORD = '' } = process.env;
const [file = '', directory = '/'] = process.argv.slice(2);

const { uploads } = new Holdall({ url: HOLDALL_URL, credentials: appPassword(HOLDALL_APP_PASSWORD) });
const source = await openFile(file);
const tokenFile = `${file}.upload`;
const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) =>
  console.log(`${Math.floor((100 * sentBytes) / Math.max(totalBytes, 1))} %`);

const start = () =>
  uploads.put(
    source,
    { path: directory },
    { onProgress, onResumeToken: (token) => writeFile(tokenFile, token) },
  );
const resumeToken = await readFile(tokenFile, 'utf8').catch(() => undefined);
const record = await (resumeToken === undefined
  ? start()
  : uploads.resume(resumeToken, source, { onProgress }).catch((error: unknown) => {
      // Unfinished uploads are kept for a day.
      if (error instanceof ExpiredError || error instanceof NotFoundError) return start();
      throw error;
    }));
await rm(tokenFile, { force: true });
console.log(`${record.path} has the id ${record.id}.`);
