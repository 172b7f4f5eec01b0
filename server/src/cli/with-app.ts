import { pino } from 'pino';
import { hasAccounts } from '../accounts/queries.ts';
import type { App } from '../app/app.ts';
import type { Config } from '../config/config.ts';
import { openDatabase } from './holdings.ts';

/** Builds the service without letting it listen, does the work with its parts, and closes it. */
export async function withApp<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  const database = await openDatabase(config);
  try {
    if (!(await hasAccounts(database.db))) {
      throw new Error('Nobody has an account yet. Start the service once: it makes the first admin.');
    }
  } finally {
    await database.close();
  }
  // Loaded only where it is used: half a second.
  const { createApp } = await import('../app/app.ts');
  const app = await createApp(config, { logger: pino({ level: 'error' }, pino.destination(2)) });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
