import type { Browser } from 'playwright-core';

/** Processor seconds of the processes of a browser, by their kind. */
export interface ProcessTimes {
  readonly renderer: number;
  /** The browser process, with its network service and all other helpers. */
  readonly others: number;
}

/** Processor time of all processes of the browser that live now. */
export async function readProcessTimes(browser: Browser): Promise<ProcessTimes> {
  const session = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    let renderer = 0;
    let others = 0;
    for (const { type, cpuTime } of processInfo) {
      if (type === 'renderer') renderer += cpuTime;
      else others += cpuTime;
    }
    return { renderer, others };
  } finally {
    await session.detach();
  }
}
