import { chromium } from 'playwright-core';
import { findProgram, needPrograms } from './programs/debian-packages.ts';

/** Keep Chromium from contacting other servers than those of the page. Root cannot use the sandbox. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Lets two pages on one machine connect to each other without a name service and without a network. */
const WEBRTC = 'WebRtcHideLocalIpsWithMdns';

/**
 * Features that Playwright disables. Chromium obeys only the last `--disable-features`, so ours repeats them.
 * Otherwise pages are painted later, and a run takes a tenth longer.
 */
const PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];

const HEADLESS = 'chromium-headless-shell';

export const CHROMIUM_ARGUMENTS = [
  ...QUIET,
  // One process for all pages of a context. It compiles the client only once, which saves half of the
  // processor time of a visit.
  '--renderer-process-limit=1',
  // Test pages are left before optimized code would pay off.
  '--js-flags=--no-opt --no-maglev',
  '--allow-loopback-in-peer-connection',
  `--disable-features=${[WEBRTC, ...PLAYWRIGHT].join(',')}`,
];

/**
 * The path of Debian's Chromium, for playwright-core's `executablePath`; installed if it is missing.
 * @throws Error with one sentence if it cannot be installed
 */
export async function findChromium(): Promise<string> {
  await needPrograms(['chromium'], ['chromium']);
  // It was found a moment ago.
  return findProgram('chromium') ?? 'chromium';
}

/**
 * The path of Chromium without user interface, which takes half the CPU time and has no PDF viewer. If there
 * is no such package, the path of the full Chromium.
 * @throws Error as {@link findChromium}
 */
export async function findHeadlessChromium(): Promise<string> {
  try {
    await needPrograms([HEADLESS], [HEADLESS]);
  } catch {
    return await findChromium();
  }
  // It was found a moment ago.
  return findProgram(HEADLESS) ?? HEADLESS;
}

interface BrowserServer {
  /** The endpoint for `chromium.connect`. Several programs can use the browser at the same time. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Starts one headless Chromium for several programs. @throws Error as {@link findChromium} */
export async function startBrowserServer(): Promise<BrowserServer> {
  const server = await chromium.launchServer({
    executablePath: await findHeadlessChromium(),
    args: CHROMIUM_ARGUMENTS,
    host: '127.0.0.1',
  });
  return { endpoint: server.wsEndpoint(), stop: () => server.close() };
}
