import { afterEach } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Holdall, startHoldall } from '../app/holdall.ts';
import { startBrowser } from './browser.ts';
import { Visit } from './web-visit.ts';

export type VisitOptions = Parameters<typeof Visit.begin>[2];

interface Visits {
  readonly browser: Browser;
  readonly holdall: Holdall;
  /** Begins a visit for the running test. After the test, checks that it caused no fault, and ends it. */
  readonly begin: (options?: VisitOptions) => Promise<Visit>;
  /** Checks and ends a visit like those of {@link Visits.begin}. */
  readonly watch: (visit: Visit) => void;
}

/** Starts the service and the browser that the tests of a file share. */
export async function startVisits(
  options: {
    readonly holdall?: Parameters<typeof startHoldall>[0];
    readonly browser?: Parameters<typeof startBrowser>[0];
  } = {},
): Promise<Visits> {
  const holdall = await startHoldall(options.holdall);
  const browser = await startBrowser(options.browser);
  const visits: Visit[] = [];
  afterEach(async () => {
    const begun = visits.splice(0);
    for (const visit of begun) visit.checkClean();
    for (const visit of begun) await visit.end();
  });
  const watch = (visit: Visit) => void visits.push(visit);
  const begin = async (settings?: VisitOptions) => {
    const visit = await Visit.begin(browser, holdall, settings);
    watch(visit);
    return visit;
  };
  return { holdall, browser, begin, watch };
}

/** The row of an entry in a list. */
export function row(page: Page, name: string) {
  return page.getByRole('row', { name });
}
