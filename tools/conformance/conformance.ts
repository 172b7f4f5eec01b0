// Checks a running service against the rules in `docs/api.md`, over HTTP only.
import type { Person } from '../../server/test/support/app/person.ts';
import { CalledOperations } from './called-operations.ts';
import { STABLE_OPERATIONS } from './operations.ts';
import { type AdminLogin, Scene, WatchedPerson } from './scene.ts';
import { SECTIONS } from './sections/sections.ts';
import { type CheckResult, runSections } from './suite.ts';

interface ConformanceTarget {
  readonly url: string;
  readonly adminLogin: AdminLogin;
  /** Runs only the sections whose title contains this text, ignoring case. Empty runs all. */
  readonly filter: string;
  /** Called for each user that the checks register, before they use it. */
  readonly onRegistered?: (person: Person) => Promise<void>;
}

export interface ConformanceOutcome {
  readonly results: readonly CheckResult[];
  readonly called: CalledOperations;
}

/**
 * Use a test service only: the checks register users, change the invite code and create storage policies,
 * which cannot be deleted.
 *
 * @throws Error if the admin cannot log in, or if no section has such a title
 */
export async function checkConformance(
  { url, adminLogin, filter, onRegistered = async () => {} }: ConformanceTarget,
  onResult: (result: CheckResult) => void = () => {},
): Promise<ConformanceOutcome> {
  const sections = SECTIONS.filter(({ title }) => title.toLowerCase().includes(filter.toLowerCase()));
  if (sections.length === 0) throw new Error(`No section has "${filter}" in its title.`);
  const called = new CalledOperations(STABLE_OPERATIONS);
  const target = { url, called, adminLogin };
  const admin: Person = await new WatchedPerson(adminLogin.username, target).logIn(adminLogin.password);
  const startScene = () => new Scene(target, async () => admin, onRegistered);
  return { results: await runSections(sections, startScene, onResult), called };
}
