import { describeDatabase, describeStore, openEngine, storeSettingsOf } from '../../app/connections.ts';
import type { Parts } from '../../app/parts.ts';
import { VERSION } from '../../app/version.ts';
import { restoreBackup, takeBackup } from '../../backup/backup.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { STORE_ID_KEY } from '../../blobs/blobs.ts';
import { readConfig } from '../../config/config.ts';
import { Database } from '../../database/database.ts';
import { BACKUP_RUN } from '../../job-runs/job-runs.ts';
import { configuredLocation, openStore } from '../../policies/open-store.ts';
import type { Command, CommandContext } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { withParts } from '../with-parts.ts';
import { describeFaults, examineDrive } from './doctor.ts';

export const backup: Command = {
  name: 'backup',
  takes: 'DIRECTORY',
  does: 'copies rows and objects into a directory while the service runs; the next backup copies only new objects',
  run: runBackup,
};

async function runBackup(args: readonly string[], context: CommandContext): Promise<void> {
  const { positionals } = readArguments(args, { positionals: ['DIRECTORY'] });
  const [directory = ''] = positionals;
  const { env, say, progress, signal } = context;
  const config = readConfig(env);
  const takeFrom = async (parts: Parts) => {
    const { database, settings, blobs, removalLease, clock, ids } = parts;
    const driveId = await settings.findMarker(database.db, STORE_ID_KEY);
    if (driveId === undefined) throw new Error('The drive has no id: start the service once.');
    const snapshot = new Database(
      await openEngine(parts.config, () => {}, { applicationName: 'holdall backup' }),
    );
    try {
      const source = {
        database,
        snapshot,
        blobs,
        removalLease,
        clock,
        ids,
        driveId,
        version: VERSION,
      };
      const done = await takeBackup(source, directory, { signal, onProgress: progress });
      const [fault] = done.missing;
      if (fault !== undefined) parts.jobRuns.noteFault(BACKUP_RUN, new Error(fault));
      return done;
    } finally {
      await snapshot.close();
    }
  };
  const work = (parts: Parts) => parts.jobRuns.record(BACKUP_RUN, () => takeFrom(parts), signal);
  const { missing, ...done } = await withParts(config, work, progress);
  say(
    `Backed up ${done.rows} rows and ${done.objects} objects (${done.bytes} bytes), ${done.copied} of them new.`,
  );
  if (missing.length === 0) return;
  for (const sentence of missing) say(sentence);
  throw new Error(
    `${missing.length === 1 ? 'One object is' : `${missing.length} objects are`} not in the backup; everything else is.`,
  );
}

export const restore: Command = {
  name: 'restore',
  takes: 'DIRECTORY',
  does: 'restores a backup into an empty database and an empty store (any kind), then runs the doctor',
  run: runRestore,
};

async function runRestore(args: readonly string[], context: CommandContext): Promise<void> {
  const { positionals } = readArguments(args, { positionals: ['DIRECTORY'] });
  const [directory = ''] = positionals;
  const { env, say, progress, signal } = context;
  const config = readConfig(env);
  const storage = storeSettingsOf(config);
  const location = configuredLocation(storage);
  const database = new Database(await openEngine(config, () => {}));
  try {
    const store = await openStore(location, storage, systemIds);
    try {
      const parts = { database, store, location, clock: systemClock, ids: systemIds };
      const { takenAt, missing } = await restoreBackup(parts, directory, { signal, onProgress: progress });
      say(`Restored the drive of ${takenAt} into ${describeDatabase(config)} and ${describeStore(storage)}.`);
      for (const sentence of missing) say(`Not in the backup: ${sentence}`);
    } finally {
      store.close();
    }
  } finally {
    await database.close();
  }
  const options = { isDeep: false, isRepairing: false, isJson: false };
  const { faults, repaired } = await withParts(config, (parts) => examineDrive(parts, context, options));
  if (faults > 0) throw new Error(`The drive is restored, and ${describeFaults(faults, repaired)}`);
}
