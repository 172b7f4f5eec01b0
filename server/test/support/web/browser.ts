import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, findChromium } from '../../../../tools/chromium.ts';

/**
 * A real headless browser. The test runner starts one for all files; a file that is run by hand starts its
 * own. What the file opened in it is closed with the file (or the surrounding `describe`).
 */
export async function startBrowser(): Promise<Browser> {
  const endpoint = process.env.HOLDALL_TEST_BROWSER;
  const browser =
    endpoint === undefined
      ? await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGUMENTS })
      : await chromium.connect(endpoint);
  after(() => browser.close());
  return browser;
}
