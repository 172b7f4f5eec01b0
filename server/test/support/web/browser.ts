import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, findChromium, findHeadlessChromium } from '../../../../tools/chromium.ts';

/**
 * A real headless browser. The test runner starts one for all files; a file that is run by hand starts its
 * own. What the file opened in it is closed with the file (or the surrounding `describe`).
 *
 * @param isShared false for test files that read downloads (which have no path in the shared browser), pick
 *   files (which the shared browser would copy) or read the clipboard (which all pages of a browser share)
 */
export async function startBrowser({ isShared = true } = {}): Promise<Browser> {
  const endpoint = isShared ? process.env.HOLDALL_TEST_BROWSER : undefined;
  if (endpoint === undefined) return await launch(await findHeadlessChromium());
  const browser = await chromium.connect(endpoint);
  after(() => browser.close());
  return browser;
}

/** Full Chromium, including its PDF viewer. It takes twice the CPU time. */
export async function startWholeBrowser(): Promise<Browser> {
  return await launch(await findChromium());
}

async function launch(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
  after(() => browser.close());
  return browser;
}
