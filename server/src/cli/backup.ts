import { openEngine } from '../app/ground.ts';
import { VERSION } from '../app/version.ts';
import { takeBackup } from '../backup/backup.ts';
import { STORE_ID_KEY } from '../blobs/blobs.ts';
import { readConfig } from '../config/config.ts';
import { Database } from '../database/database.ts';
import type { Command, Surroundings } from './command.ts';
import { withHoldings } from './holdings.ts';
import { readWords } from './words.ts';

export const backup: Command = {
  name: 'backup',
  takes: 'DIRECTORY',
  does: 'copies rows and objects into a directory while the service runs; the next time only what is new',
  run,
};

async function run(words: readonly string[], surroundings: Surroundings): Promise<void> {
  const { given } = readWords(words, { given: ['DIRECTORY'] });
  const [directory = ''] = given;
  const { env, say, progress, signal } = surroundings;
  const config = readConfig(env);
  const { missing, ...done } = await withHoldings(config, async (holdings) => {
    const { database, settings } = holdings;
    const driveId = await settings.findMarker(database.db, STORE_ID_KEY);
    if (driveId === undefined) throw new Error('The drive has no id: start the service once.');
    const picture = new Database(await openEngine(config, () => {}));
    try {
      const parts = { ...holdings, picture, driveId, version: VERSION };
      return await takeBackup(parts, directory, { signal, onProgress: progress });
    } finally {
      await picture.close();
    }
  });
  say(
    `Backed up ${done.rows} rows and ${done.objects} objects (${done.bytes} bytes), ${done.copied} of them new.`,
  );
  if (missing.length === 0) return;
  for (const sentence of missing) say(sentence);
  throw new Error(
    `${missing.length === 1 ? 'One object is' : `${missing.length} objects are`} not in the backup; everything else is.`,
  );
}
