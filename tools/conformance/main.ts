// `npm run conformance`: checks any service with this API against the rules in `docs/api.md`.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkConformance } from './conformance.ts';
import { countFaults, describeResult, describeSections, toJson } from './report.ts';

const USAGE = `npm run conformance -- --url http://localhost:8080 [options]
  --admin NAME        the username of an administrator (default: admin)
  --section TEXT      only the sections with this text in their title
  --json FILE         writes the results to a file

The password of the administrator is read from HOLDALL_CONFORMANCE_PASSWORD.
Run it against a service for tests: it registers users, changes settings, and leaves both.
`;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    admin: { type: 'string', default: 'admin' },
    section: { type: 'string', default: '' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const password = process.env.HOLDALL_CONFORMANCE_PASSWORD;
if (values.help) process.stdout.write(USAGE);
else if (values.url === undefined || !URL.canParse(values.url) || password === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else process.exitCode = await run(values.url, password);

/** Returns the exit status: 0 if all checks passed, 1 if one failed, 2 if they could not run. */
async function run(url: string, adminPassword: string): Promise<number> {
  try {
    const adminLogin = { username: values.admin, password: adminPassword };
    const outcome = await checkConformance({ url, adminLogin, filter: values.section }, (result) =>
      process.stdout.write(`${describeResult(result)}\n`),
    );
    process.stdout.write(`\n${describeSections(outcome)}\n`);
    if (values.json !== undefined) writeFileSync(values.json, toJson(outcome));
    return countFaults(outcome.results) === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`✖ ${error instanceof Error ? error.message : error}\n`);
    return 2;
  }
}
