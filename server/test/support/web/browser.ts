import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, findChromium } from '../../../../tools/chromium.ts';

/**
 * Gives a real browser without a window. The test runner starts one for all files; a file that is run by hand
 * starts its own. What the file opened in it is closed with the file (or the surrounding `describe`).
 *
 * @param isShared false for a file that reads downloads, which have no path in the shared browser, or that picks files,
 *   which the shared browser would copy
 */
export async function startBrowser({ isShared = true } = {}): Promise<Browser> {
  const endpoint = isShared ? process.env.HOLDALL_TEST_BROWSER : undefined;
  const browser =
    endpoint === undefined
      ? await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGUMENTS })
      : await chromium.connect(endpoint);
  after(() => browser.close());
  return browser;
}
