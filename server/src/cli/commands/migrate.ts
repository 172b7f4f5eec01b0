import { describeDatabase, explainOutage, openEngine } from '../../app/connections.ts';
import { readConfig } from '../../config/config.ts';
import { Database } from '../../database/database.ts';
import {
  type BegunMigration,
  MIGRATIONS,
  migrateWithCopy,
  readAppliedMigrations,
} from '../../database/migrator.ts';
import type { Command, CommandContext } from '../command.ts';
import { readArguments } from '../read-arguments.ts';

export const migrate: Command = {
  name: 'migrate',
  takes: '',
  does: 'migrates the schema to this version, as every start does; stop services of older versions first',
  run,
};

async function run(args: readonly string[], { env, say }: CommandContext): Promise<void> {
  readArguments(args, {});
  const config = readConfig(env);
  const database = new Database(await openEngine(config, () => {}));
  try {
    const before = await readAppliedMigrations(database.db).catch((error: unknown) => {
      throw explainOutage(config, database, error);
    });
    const onBegin = ({ copy }: BegunMigration) => {
      if (copy !== undefined) say(`The database as it was is in ${copy}.`);
    };
    await migrateWithCopy(database, onBegin, { onWait: say });
    const done = MIGRATIONS.slice(before.length).map(({ name }) => name);
    say(
      done.length === 0
        ? `${describeDatabase(config)} is up to date.`
        : `${describeDatabase(config)} was migrated: ${done.join(', ')}.`,
    );
  } finally {
    await database.close();
  }
}
