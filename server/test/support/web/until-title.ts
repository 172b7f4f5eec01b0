import type { Page } from 'playwright-core';
import { waitFor } from '../tasks/tasks.ts';

/** Waits until the page has this title. */
export async function untilTitle(page: Page, title: string): Promise<void> {
  await waitFor(
    () => page.title(),
    (seen) => seen === title,
    `the title ${title}`,
  );
}
