import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Case, Figure } from '../../report/figure.ts';
import { readCpuSeconds, readProportionalBytes } from '../../report/memory.ts';
import { Service } from '../../service.ts';
import type { Stage } from '../../stage.ts';
import { DriveFiller } from './fill-drive.ts';
import { toOperations } from './operations.ts';
import { TimedCalls } from './timed-calls.ts';

const REST_MS = 3_000;
const MEGABYTE = 1_000_000;
const SIZES = ['1,000', '100,000', '1,000,000'] as const;

interface Measurement {
  readonly unit: string;
  readonly runs: number[];
  readonly cpuMs: number[];
}

type Measured = ReadonlyMap<string, Measurement>;

/**
 * The same work in an account of 1,000, then of 100,000, then of 1,000,000 entries. Each figure of a larger
 * account is beside that of the smallest one.
 */
export const growth: Case = {
  name: 'growth',
  measure: (stage) =>
    stage.withDirectory(async (directory) => {
      const environment = {
        HOLDALL_DATA_DIR: directory,
        // More than an account may have by default.
        HOLDALL_DEFAULT_MAX_ENTRIES: '2000000',
      };
      const like = await stage.withNewService(
        async (program) => {
          const service = await Service.signUp(program, directory);
          const id = await service.upload('/', 'like.jpg', Buffer.from('not much'));
          service.close();
          return id;
        },
        { environment },
      );
      const drive = new DriveFiller(directory, like);
      const all: Measured[] = [];
      let before = 0;
      for (const size of stage.scale.accountEntries) {
        stage.say(`making an account of ${size.toLocaleString('en')} entries`);
        const bytes = grow(drive, directory, before, size);
        before = size;
        all.push(new Map([...(await measureAccount(stage, drive, environment, size)), ...bytes]));
      }
      return toFigures(all);
    }),
};

/** Measures by how many bytes the database file grows for each entry, and for each event. */
function grow(drive: DriveFiller, directory: string, before: number, after: number): Measured {
  const count = after - before;
  const fileBytes = () => statSync(path.join(directory, 'holdall.db')).size;
  const atFirst = fileBytes();
  if (before === 0) drive.addFirst(count);
  else drive.add(count);
  const withEntries = fileBytes();
  const events = drive.addEvents();
  const toBytes = (bytes: number) => ({ unit: 'bytes', runs: [bytes], cpuMs: [] });
  return new Map([
    ['database file for each entry', toBytes((withEntries - atFirst) / count)],
    ['database file for each event', toBytes((fileBytes() - withEntries) / events)],
  ]);
}

async function measureAccount(
  stage: Stage,
  drive: DriveFiller,
  environment: Readonly<Record<string, string>> & { readonly HOLDALL_DATA_DIR: string },
  size: number,
): Promise<Measured> {
  const measured = new Map<string, Measurement>();
  const note = (name: string, unit: string, value: number, cpuMs?: number) => {
    const known = measured.get(name) ?? { unit, runs: [], cpuMs: [] };
    measured.set(name, known);
    known.runs.push(value);
    if (cpuMs !== undefined) known.cpuMs.push(cpuMs);
  };
  for (let run = 0; run < stage.scale.runs; run += 1) {
    await stage.withNewService(
      async (program) => {
        note('process start to listening', 'ms', program.startMs, readCpuSeconds(program.pid) * 1_000);
        await sleep(REST_MS);
        note('memory after the start', 'MB', readProportionalBytes(program.pid) / MEGABYTE);
        const service = await Service.logIn(program, environment.HOLDALL_DATA_DIR);
        const calls = await TimedCalls.open(service);
        for (const operation of await toOperations(service, drive, `${size} ${run}`)) {
          await repeatFor(stage.scale.seconds / 10, () => operation(calls));
          calls.take();
          await repeatFor(stage.scale.seconds / 3, () => operation(calls));
          for (const [name, { value, cpuMs }] of calls.take()) note(name, 'ms', value, cpuMs);
        }
        note('memory after the work', 'MB', readProportionalBytes(program.pid) / MEGABYTE);
        calls.close();
        service.close();
      },
      { environment },
    );
  }
  return measured;
}

async function repeatFor(seconds: number, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  do await work();
  while (performance.now() < end);
}

/** @param all what was measured with each size; what the larger ones give is shown beside the smallest */
function toFigures([smallest, ...larger]: readonly Measured[]): readonly Figure[] {
  return Array.from(smallest ?? [], ([name, first]) => {
    const others = larger.map((measured) => measured.get(name)).filter((one) => one !== undefined);
    return [first, ...others].map((one, index): Figure => {
      const { unit, runs, cpuMs } = one;
      return {
        name: `${name}, ${SIZES[index]} entries`,
        unit,
        runs,
        ...(cpuMs.length > 0 && { cpuMs }),
        ...(one !== first && { bareRuns: first.runs }),
        ...(one !== first && first.cpuMs.length > 0 && { bareCpuMs: first.cpuMs }),
      };
    });
  }).flat();
}
