// `npm run check`: the checks that must pass before a change lands, without a running program.
import { architectureCheck, listChecks, runChecks } from './checks.ts';

const checks = [...listChecks(), architectureCheck];
const failed = await runChecks(checks, (text) => process.stdout.write(text));
if (failed.length === 0) process.stdout.write(`✔ ${checks.map(({ title }) => title).join(', ')}\n`);
else process.exitCode = 1;
