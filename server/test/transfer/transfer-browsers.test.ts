// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { isFull, isLong } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { startBrowser } from '../support/web/browser.ts';
import { TRANSFER_PAGE } from '../support/web/transfer-page.ts';

const MIB = 1024 ** 2;
const SIZE_MIB = isLong ? 200 : isFull ? 40 : 4;
const SIZE = SIZE_MIB * MIB;

test(`two browsers connect by a code and send ${SIZE_MIB} MiB directly, not through the service`, async () => {
  const holdall = await startHoldall();
  const sockets: Socket[] = [];
  holdall.app.server.server.on('connection', (socket) => sockets.push(socket));
  const browser = await startBrowser();
  const [alice, bob, eve] = [
    await openPage(browser, holdall.url),
    await openPage(browser, holdall.url),
    await openPage(browser, holdall.url),
  ];
  const code = await alice.evaluate<string>(`announce(${SIZE})`);
  const sending = alice.evaluate<string>('send()');
  const receiving = bob.evaluate<string>(`receive('${code}')`);
  const [sent, received] = await Promise.all([sending, receiving]);
  assert.match(sent, /^[0-9a-f]{64}$/);
  assert.equal(received, sent);
  await assert.rejects(eve.evaluate(`receive('${code}')`), /409/);
  const bytesRead = sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);
  assert.ok(bytesRead > 1_000 && bytesRead < MIB, `${bytesRead} bytes reached the service`);
});

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.route(`${url}/page`, (route) =>
    route.fulfill({ contentType: 'text/html', body: TRANSFER_PAGE }),
  );
  await page.goto(`${url}/page`);
  return page;
}
