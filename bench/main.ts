// Measures the service on one core and compares the figures with the goals. In the same run and on the same
// core, a bare node:http server or another peer does the same work. S3 is measured with a real store, which
// is started for the run. `npm run bench -- --help` shows the options.
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer } from '../tools/build/build-server.ts';
import { Leftovers } from '../tools/processes/leftovers.ts';
import { CASES, chooseCases } from './cases/cases.ts';
import { pinCores } from './pinning.ts';
import { type Row, toMissedGoals, toRow, toTable } from './report/report.ts';
import { FULL, QUICK } from './scale.ts';
import { LeftOut, Stage } from './stage.ts';

const USAGE = `npm run bench -- [options]
  --only NAMES      only these cases, separated by commas
  --quick           small and short, to see that everything works; no goals
  --data-dir DIR    where the servers keep their bytes (default: memory, /dev/shm)
  --json FILE       where the figures go (default: bench/results/TIME.json)
  --log-level LEVEL of the service (default: warn)
  --profile         keep CPU profiles of the service in bench/results/profiles-TIME
  --entry FILE      the service's main file (default: server/dist/main.js)

The cases: ${CASES.map(({ name }) => name).join(', ')}.
Where no S3 store can be started, which takes Ceph's packages of Debian, those that need one are left out.
`;

const here = import.meta.dirname;
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    'data-dir': { type: 'string' },
    json: { type: 'string' },
    'log-level': { type: 'string', default: 'warn' },
    profile: { type: 'boolean', default: false },
    entry: { type: 'string', default: path.join(here, '..', 'server', 'dist', 'main.js') },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else {
  buildServer();
  process.exitCode = await bench().catch(complain);
}

/** Returns the exit status: 1 if a case failed. A missed goal is not a failure. */
async function bench(): Promise<number> {
  const cases = chooseCases(values.only.split(',').filter((name) => name !== ''));
  const startedAt = new Date().toISOString();
  const stamp = startedAt.replaceAll(':', '-').slice(0, 19);
  const scale = values.quick ? QUICK : FULL;
  const pinning = pinCores();
  const dataRoot = values['data-dir'] ?? memoryDirectory();
  const leftovers = new Leftovers();
  leftovers.removeOnSignals();
  const machine = {
    startedAt,
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    pinning: pinning.description,
    dataRoot,
    // The load average of the minute before anything is measured, because other load affects every figure.
    loadAverage: loadavg()[0] ?? 0,
    scale,
  };
  say(`Node ${process.version}, ${machine.processor}, ${pinning.description}, bytes in ${dataRoot}`);
  if (machine.loadAverage > 0.5) {
    say(`this machine is BUSY (load ${machine.loadAverage.toFixed(1)}): the figures will be too low`);
  }
  if (values.quick) say('quick: the sizes in the names do not hold');

  const rows: Row[] = [];
  const failures: { readonly case: string; readonly message: string }[] = [];
  const leftOut: { readonly case: string; readonly message: string }[] = [];
  for (const { name, measure } of cases) {
    const profileDirectory = values.profile
      ? path.join(here, 'results', `profiles-${stamp}`, name)
      : undefined;
    const stage = new Stage({
      scale,
      pinning,
      leftovers,
      dataRoot,
      entry: path.resolve(values.entry),
      logLevel: values['log-level'],
      profileDirectory,
      say: (text) => say(`  ${name}: ${text}`),
    });
    say(name);
    try {
      const measured = (await measure(stage)).map((figure) => toRow(name, figure, !values.quick));
      // Written immediately, so that an interrupted run keeps its results.
      say(toTable(measured));
      rows.push(...measured);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof LeftOut) {
        leftOut.push({ case: name, message });
        say(`LEFT OUT ${name}: ${message}`);
        continue;
      }
      failures.push({ case: name, message });
      say(`FAILED ${name}: ${message}`);
    }
  }

  process.stdout.write(`\n${toTable(rows)}\n`);
  if (!values.quick) process.stdout.write(`\n${toMissedGoals(rows)}\n`);
  for (const left of leftOut) process.stdout.write(`\nLEFT OUT ${left.case}: ${left.message}\n`);
  for (const failure of failures) process.stdout.write(`\nFAILED ${failure.case}: ${failure.message}\n`);
  const jsonFile = values.json ?? path.join(here, 'results', `${stamp}.json`);
  mkdirSync(path.dirname(jsonFile), { recursive: true });
  writeFileSync(jsonFile, `${JSON.stringify({ ...machine, figures: rows, leftOut, failures }, null, 2)}\n`);
  say(`figures of every run: ${jsonFile}`);
  return failures.length > 0 ? 1 : 0;
}

function complain(error: unknown): number {
  say(error instanceof Error ? error.message : String(error));
  return 1;
}

function memoryDirectory(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
