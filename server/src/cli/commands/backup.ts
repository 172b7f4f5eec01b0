import { openEngine } from '../../app/connections.ts';
import type { Parts } from '../../app/parts.ts';
import { VERSION } from '../../app/version.ts';
import { takeBackup } from '../../backup/backup.ts';
import { STORE_ID_KEY } from '../../blobs/blobs.ts';
import { readConfig } from '../../config/config.ts';
import { Database } from '../../database/database.ts';
import { BACKUP_RUN } from '../../job-runs/job-runs.ts';
import type { Command, CommandContext } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { withParts } from '../with-parts.ts';

export const backup: Command = {
  name: 'backup',
  takes: 'DIRECTORY',
  does: 'copies rows and objects into a directory while the service runs; the next backup copies only new objects',
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
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
