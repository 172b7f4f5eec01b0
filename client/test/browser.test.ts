// tier: default
// runs on: sqlite
// needs: browser
// The library in a page: the same calls as elsewhere, in a browser and without Node.js.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { buildSync } from 'esbuild';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { PASSWORD } from '../../server/test/support/app/person.ts';
import { startBrowser } from '../../server/test/support/web/browser.ts';
import type * as library from '../src/client.ts';

declare global {
  // The global that the bundle below defines in the page.
  var holdallClient: typeof library;
}

const service = await startHoldall();
const browser = await startBrowser();

test('a page logs in, uploads, downloads and follows the events', async () => {
  const { username } = await service.register();
  const { outputFiles } = buildSync({
    entryPoints: [path.join(import.meta.dirname, '../src/client.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'holdallClient',
    platform: 'browser',
    write: false,
  });
  // Otherwise the page's policy blocks foreign scripts.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${service.url}/api/v2/site/ping`);
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  const seen = await page.evaluate(
    async ({ url, name, password }) => {
      const { ConflictError, Holdall } = holdallClient;
      const holdall = new Holdall({ url });
      await holdall.auth.logIn(name, password);
      const events = holdall.events.watch();
      const kinds = [(await events.next()).value?.kind];
      const bytes = crypto.getRandomValues(new Uint8Array(60_000));
      const source = new Blob(Array.from({ length: 10 }, () => bytes));
      const progress: number[] = [];
      const record = await holdall.uploads.put(
        source,
        { filename: 'page.bin' },
        { chunkBytes: 250_000, onProgress: ({ sentBytes }) => void progress.push(sentBytes) },
      );
      kinds.push((await events.next()).value?.kind);
      await events.return();
      const stored = await holdall.downloads.bytes(record.id);
      const conflict = await holdall.drive.makeDirectory('/page.bin').catch((error: unknown) => error);
      return {
        kinds,
        progress: progress.at(-1),
        isSame:
          stored.length === source.size &&
          stored.subarray(540_000).every((byte, index) => byte === bytes[index]),
        isConflict: conflict instanceof ConflictError,
      };
    },
    { url: service.url, name: username, password: PASSWORD },
  );
  assert.deepEqual(seen, { kinds: ['ready', 'change'], progress: 600_000, isSame: true, isConflict: true });
  await context.close();
});
