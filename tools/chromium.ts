import { findProgram, needPrograms } from './debian-packages.ts';

/**
 * The path of Debian's Chromium, for playwright-core's `executablePath`; installed when it is missing.
 * @throws Error with one sentence where it cannot be had
 */
export async function findChromium(): Promise<string> {
  await needPrograms(['chromium'], ['chromium']);
  // It was found a moment ago.
  return findProgram('chromium') ?? 'chromium';
}
