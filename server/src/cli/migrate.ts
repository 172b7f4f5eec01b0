import { describeDatabase, openEngine } from '../app/connections.ts';
import { readConfig } from '../config/config.ts';
import { Database } from '../database/database.ts';
import { MIGRATIONS, migrate as migrateSchema, readAppliedMigrations } from '../database/migrator.ts';
import type { Command, CommandContext } from './command.ts';
import { readWords } from './words.ts';

export const migrate: Command = {
  name: 'migrate',
  takes: '',
  does: 'brings the schema of the database up to this version, as every start does; no service of an earlier one may run',
  run,
};

async function run(words: readonly string[], { env, say }: CommandContext): Promise<void> {
  readWords(words, {});
  const config = readConfig(env);
  const database = new Database(await openEngine(config, () => {}));
  try {
    const before = await readAppliedMigrations(database.db).catch((error: unknown) => {
      throw database.translate(error);
    });
    await migrateSchema(database);
    const done = MIGRATIONS.slice(before.length).map(({ name }) => name);
    say(
      done.length === 0
        ? `${describeDatabase(config)} is up to date.`
        : `${describeDatabase(config)} has taken the steps ${done.join(', ')}.`,
    );
  } finally {
    await database.close();
  }
}
