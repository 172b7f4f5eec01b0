import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../../../tools/chromium.ts';

/** What keeps Chromium from speaking with anybody but the page's own servers; root has no sandbox. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real browser without a window. It ends with the test file (or the surrounding `describe`). */
export async function startBrowser(more: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: [...ARGUMENTS, ...more],
  });
  after(() => browser.close());
  return browser;
}
