// The programs of Debian that test files use, and the web client. They are there before the first test begins: an installation takes longer
// than a test may.
import { needArchivers } from './archivers.ts';
import { buildWeb } from './build-web.ts';
import { findChromium } from './chromium.ts';
import { uses } from './module-imports.ts';
import { needNginx } from './nginx.ts';

/** By the module through which a file gets at the program. */
const PROGRAMS: Readonly<Record<string, () => Promise<unknown>>> = {
  'tools/archivers.ts': needArchivers,
  'tools/build-web.ts': async () => buildWeb(),
  'tools/chromium.ts': findChromium,
  'tools/nginx.ts': needNginx,
};

export interface MissingProgram {
  /** For the person, with what to do about it. */
  readonly sentence: string;
  /** That cannot run without it. */
  readonly files: readonly string[];
}

/** Gets what the files need, and tells what is not to be had. */
export async function prepareProgramsOf(files: readonly string[]): Promise<readonly MissingProgram[]> {
  const missing: MissingProgram[] = [];
  for (const [tool, prepare] of Object.entries(PROGRAMS)) {
    const users = files.filter((file) => uses(file, tool));
    if (users.length === 0) continue;
    try {
      await prepare();
    } catch (error) {
      missing.push({ sentence: error instanceof Error ? error.message : String(error), files: users });
    }
  }
  return missing;
}
