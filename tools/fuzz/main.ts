// `npm run fuzz`: sends random requests to a service with its own database, and checks every response.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Leftovers } from '../processes/leftovers.ts';
import { Fuzzer } from './fuzzer.ts';
import { describeOutcome, type FuzzOutcome } from './outcome.ts';
import { FUZZ_ENGINES, type OwnService, startOwnService } from './service/own-service.ts';

const USAGE = `npm run fuzz -- [options]
  --requests N           how many requests are sent (default: 20000)
  --seed S               repeats the decisions of an earlier run (default: random)
  --engine ENGINE        sqlite or postgres (default: sqlite)
`;

/** Progress is shown after this many requests. */
const SHOWN_AFTER = 10_000;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: `${randomInt(2 ** 31)}` },
    engine: { type: 'string', default: 'sqlite' },
    help: { type: 'boolean', default: false },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed);
const engine = FUZZ_ENGINES.find((name) => name === values.engine);
if (values.help) process.stdout.write(USAGE);
else if (engine === undefined || !Number.isSafeInteger(requests) || !Number.isSafeInteger(seed)) {
  process.stderr.write(USAGE);
  process.exitCode = 1;
} else process.exitCode = await run();

/** Returns the exit status: 1 if there was a fault. */
async function run(): Promise<number> {
  const leftovers = new Leftovers();
  leftovers.removeOnSignals();
  process.stdout.write(`seed ${seed}\n`);
  let service: OwnService | undefined;
  try {
    service = await startOwnService(engine ?? 'sqlite', leftovers);
    const fuzzer = await Fuzzer.create({ ...service, seed });
    const outcome = await sendAll(fuzzer).finally(() => fuzzer.close());
    const diagnosis = await service.examine();
    process.stdout.write(`${describeOutcome(outcome)}\n`);
    process.stdout.write(
      diagnosis.length === 0 ? 'The doctor found no fault.\n' : `${diagnosis.join('\n')}\n`,
    );
    return outcome.faults.length + diagnosis.length === 0 ? 0 : 1;
  } finally {
    await service?.stop();
    leftovers.removeAll();
  }
}

async function sendAll(fuzzer: Fuzzer): Promise<FuzzOutcome> {
  for (let sent = 0; sent < requests; sent += SHOWN_AFTER) {
    await fuzzer.send(Math.min(SHOWN_AFTER, requests - sent));
    process.stdout.write(`${fuzzer.outcome.requests} requests, ${fuzzer.outcome.faults.length} faults\n`);
  }
  return fuzzer.outcome;
}
