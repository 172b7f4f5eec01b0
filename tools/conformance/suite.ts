// The structure of the conformance suite: sections of the API, and the checks of each.
import type { Scene } from './scene.ts';

/** Throws if the rule is broken. The name of the check states the rule. */
type Check = (scene: Scene) => Promise<void>;

export interface Section {
  readonly title: string;
  readonly checks: Readonly<Record<string, Check>>;
}

export interface CheckResult {
  readonly section: string;
  readonly check: string;
  /** Undefined if the check passed. */
  readonly fault: string | undefined;
  readonly milliseconds: number;
}

/** Long enough for a background task on a busy machine. */
const MAX_CHECK_MS = 90_000;

/** Runs all checks one after the other, because some change settings of the whole service. */
export async function runSections(
  sections: readonly Section[],
  startScene: (section: Section) => Scene,
  onResult: (result: CheckResult) => void,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const section of sections) {
    const scene = startScene(section);
    for (const [name, check] of Object.entries(section.checks)) {
      const startMs = performance.now();
      const fault = await findFault(check, scene);
      const milliseconds = Math.round(performance.now() - startMs);
      const result = { section: section.title, check: name, fault, milliseconds };
      results.push(result);
      onResult(result);
    }
  }
  return results;
}

async function findFault(check: Check, scene: Scene): Promise<string | undefined> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`it took more than ${MAX_CHECK_MS / 1_000} s`)),
    MAX_CHECK_MS,
  );
  try {
    await Promise.race([check(scene), timeout]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
