import type { Parts } from '../app/parts.ts';
import { isClaimedStore } from '../blobs/blobs.ts';
import { readConfig } from '../config/config.ts';
import type { Tx } from '../database/database.ts';
import { type Diagnosis, examine, type Fault, listChecks, type PolicyStore } from '../doctor/doctor.ts';
import { findPolicies } from '../policies/queries.ts';
import { recordAudit } from './audit.ts';
import type { Command, CommandContext } from './command.ts';
import { withParts } from './with-parts.ts';
import { readWords } from './words.ts';

export const doctor: Command = {
  name: 'doctor',
  takes: '[--deep] [--repair] [--json]',
  does: 'compares what is counted with what is there, and with --deep every byte; --repair mends what is safe. 0: nothing found',
  run,
};

async function run(words: readonly string[], context: CommandContext): Promise<void> {
  const { flags } = readWords(words, { flags: ['deep', 'repair', 'json'] });
  const config = readConfig(context.env);
  const { faults, mended } = await withParts(config, (parts) =>
    examineDrive(parts, context, {
      isDeep: flags.has('deep'),
      isRepairing: flags.has('repair'),
      isJson: flags.has('json'),
    }),
  );
  if (faults > 0) throw new Error(describeFaults(faults, mended));
}

/** Tells every fault and, last, what was looked at. */
export async function examineDrive(
  parts: Parts,
  { say, progress, signal }: CommandContext,
  options: { isDeep: boolean; isRepairing: boolean; isJson: boolean },
): Promise<Diagnosis> {
  const { config, database, settings, policies, orphans, clock } = parts;
  const stores: PolicyStore[] = [];
  for (const { id: policyId, isDefault } of await policies.listOpenable()) {
    const store = await policies.getStore(policyId);
    // A store that does not answer is told of when its turn comes.
    const isMarked = isClaimedStore({ database, settings, store, policyId }).catch(() => false);
    const isOurs = isDefault || (await isMarked);
    stores.push({ policyId, store, isOurs });
  }
  const unreachable = (await findPolicies(database.db)).filter(
    ({ id }) => !stores.some(({ policyId }) => policyId === id),
  );
  const diagnosis = await examine({
    checks: listChecks({
      database,
      clock,
      stores,
      orphans,
      graceMs: config.sweepGraceMs,
      isDeep: options.isDeep,
    }),
    signal,
    onFault: (fault, isMended) => say(options.isJson ? toJson(fault, isMended) : toLine(fault, isMended)),
    onProgress: (looksAt, looked) => progress(`Looked at ${looked} ${looksAt}.`),
    ...(options.isRepairing ? { mend: recordRepair } : {}),
  });
  const notLookedAt = unreachable.map(({ name }) => name);
  if (options.isJson) {
    say(JSON.stringify({ ...diagnosis, notLookedAt }));
    return diagnosis;
  }
  say(`Looked at ${describeLooked(diagnosis)}.`);
  for (const name of notLookedAt) {
    say(`Not looked at: the objects of the storage policy "${name}", which this service cannot open.`);
  }
  if (diagnosis.faults === 0) say('Nothing is wrong.');
  return diagnosis;
}

export function describeFaults(faults: number, mended: number): string {
  const found = faults === 1 ? '1 fault was found' : `${faults} faults were found`;
  return mended === 0 ? `${found}.` : `${found}, of which ${mended} ${mended === 1 ? 'was' : 'were'} mended.`;
}

const recordRepair = (tx: Tx, { rule, subject, id, sentence }: Fault) =>
  recordAudit(tx, {
    action: 'REPAIR',
    targetType: 'FAULT',
    targetId: id,
    target: `${subject} ${id}`,
    summary: `Mended: ${sentence}`,
    details: { rule, subject },
  });

function toLine({ sentence }: Fault, isMended: boolean): string {
  return isMended ? `${sentence} Mended.` : sentence;
}

function toJson({ rule, subject, id, sentence }: Fault, isMended: boolean): string {
  return JSON.stringify({ rule, subject, id, sentence, mended: isMended });
}

function describeLooked({ looked }: Diagnosis): string {
  return Object.entries(looked)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}
