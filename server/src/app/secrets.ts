import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * Secrets from the configuration, or secrets created once and stored in the database so that all instances
 * agree.
 */
export async function getOrCreateSecrets(config: Config, database: Database, settings: Settings) {
  return database.transact(async (tx) => ({
    jwtSecret: config.jwtSecret ?? (await settings.getOrCreateSecret(tx, 'jwt-secret')),
    downloadSecret: config.downloadSecret ?? (await settings.getOrCreateSecret(tx, 'download-secret')),
  }));
}
