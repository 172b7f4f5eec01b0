import type { Parts } from '../../app/parts.ts';
import { isClaimedStore } from '../../blobs/blobs.ts';
import { readConfig } from '../../config/config.ts';
import type { Tx } from '../../database/database.ts';
import {
  type DoctorReport,
  type Fault,
  listChecks,
  type PolicyStore,
  runDoctor,
} from '../../doctor/doctor.ts';
import { DEEP_DOCTOR_RUN, DOCTOR_RUN } from '../../job-runs/job-runs.ts';
import { findPolicies } from '../../policies/queries.ts';
import { recordAudit } from '../audit.ts';
import type { Command, CommandContext } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { withParts } from '../with-parts.ts';

export const doctor: Command = {
  name: 'doctor',
  takes: '[--deep] [--repair] [--json]',
  does: 'checks that counts, rows and objects agree, with --deep every byte; --repair fixes what is safe. Exit code 0: no fault',
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { flags } = readArguments(args, { flags: ['deep', 'repair', 'json'] });
  const config = readConfig(context.env);
  const isRepairing = flags.has('repair');
  const options = { isDeep: flags.has('deep'), isRepairing, isJson: flags.has('json') };
  const name = options.isDeep ? DEEP_DOCTOR_RUN : DOCTOR_RUN;
  const examine = (parts: Parts) =>
    parts.jobRuns.record(
      name,
      async () => {
        const { faults, repaired } = await examineDrive(parts, context, options);
        const sentence = faults === 0 ? undefined : describeFaults(faults, repaired);
        if (faults > repaired) throw new Error(sentence);
        return sentence;
      },
      context.signal,
    );
  const repairedAll = await withParts(config, examine, isRepairing ? undefined : context.progress);
  if (repairedAll !== undefined) throw new Error(repairedAll);
}

/** Prints every fault and finally what was checked. */
export async function examineDrive(
  parts: Parts,
  { say, progress, signal }: CommandContext,
  options: { isDeep: boolean; isRepairing: boolean; isJson: boolean },
): Promise<DoctorReport> {
  const { config, database, settings, policies, orphans, clock } = parts;
  const stores: PolicyStore[] = [];
  for (const { id: policyId, isDefault } of await policies.listOpenable()) {
    const store = await policies.getStore(policyId);
    // A store that does not answer is reported when its objects are checked.
    const isMarked = isClaimedStore({ database, settings, store, policyId }).catch(() => false);
    const isExclusive = isDefault || (await isMarked);
    stores.push({ policyId, store, isExclusive });
  }
  const unreachable = (await findPolicies(database.db)).filter(
    ({ id }) => !stores.some(({ policyId }) => policyId === id),
  );
  const report = await runDoctor({
    checks: listChecks({
      database,
      clock,
      stores,
      orphans,
      graceMs: config.sweepGraceMs,
      isDeep: options.isDeep,
    }),
    signal,
    onFault: (fault, isRepaired) =>
      say(options.isJson ? toJson(fault, isRepaired) : toLine(fault, isRepaired)),
    onProgress: (label, checked) => progress(`Checked ${checked} ${label}.`),
    ...(options.isRepairing ? { onRepair: recordRepair } : {}),
  });
  const notChecked = unreachable.map(({ name }) => name);
  if (options.isJson) {
    const { checked: looked, faults, repaired: mended } = report;
    say(JSON.stringify({ looked, faults, mended, notLookedAt: notChecked }));
    return report;
  }
  say(`Checked ${describeChecked(report)}.`);
  for (const name of notChecked) {
    say(`Not checked: the objects of the storage policy "${name}", which this service cannot open.`);
  }
  if (report.faults === 0) say('No faults.');
  return report;
}

export function describeFaults(faults: number, repaired: number): string {
  const found = faults === 1 ? '1 fault was found' : `${faults} faults were found`;
  return repaired === 0
    ? `${found}.`
    : `${found}, of which ${repaired} ${repaired === 1 ? 'was' : 'were'} repaired.`;
}

const recordRepair = (tx: Tx, { rule, subject, id, sentence }: Fault) =>
  recordAudit(tx, {
    action: 'REPAIR',
    targetType: 'FAULT',
    targetId: id,
    target: `${subject} ${id}`,
    summary: `Repaired: ${sentence}`,
    details: { rule, subject },
  });

function toLine({ sentence }: Fault, isRepaired: boolean): string {
  return isRepaired ? `${sentence} Repaired.` : sentence;
}

function toJson({ rule, subject, id, sentence }: Fault, isRepaired: boolean): string {
  return JSON.stringify({ rule, subject, id, sentence, mended: isRepaired });
}

function describeChecked({ checked }: DoctorReport): string {
  return Object.entries(checked)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}
