import { describeDatabase, describeStore, openEngine, storeSettingsOf } from '../../app/connections.ts';
import { restoreBackup } from '../../backup/backup.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { readConfig } from '../../config/config.ts';
import { Database } from '../../database/database.ts';
import { configuredLocation, openStore } from '../../policies/open-store.ts';
import type { Command, CommandContext } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { withParts } from '../with-parts.ts';
import { describeFaults, examineDrive } from './doctor.ts';

export const restore: Command = {
  name: 'restore',
  takes: 'DIRECTORY',
  does: 'restores a backup into an empty database and an empty store of any kind, and runs the doctor',
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
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
