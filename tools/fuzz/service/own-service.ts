// The service that `npm run fuzz` tests: in this process, with its own database and directory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useTestPasswordCost } from '../../../server/src/accounts/passwords/passwords.ts';
import { type App, createApp } from '../../../server/src/app/app.ts';
import { examineDrive } from '../../../server/src/cli/commands/doctor.ts';
import { readConfig } from '../../../server/src/config/config.ts';
import { type Postgres, startPostgres } from '../../engines/postgres/postgres.ts';
import type { Leftovers } from '../../processes/leftovers.ts';
import { ServiceLog } from './service-log.ts';

/** What the fuzzer needs: logins for all roles, no rate limits, and tasks that retry soon. */
export const FUZZ_ENVIRONMENT = {
  HOLDALL_DEV_LOGIN: 'true',
  HOLDALL_RATE_LIMITS: 'false',
  HOLDALL_TASK_BACKOFF_SCALE: '0.001',
};

export const FUZZ_ENGINES = ['sqlite', 'postgres'] as const;
type FuzzEngine = (typeof FUZZ_ENGINES)[number];

export interface OwnService {
  readonly app: App;
  readonly url: string;
  readonly log: ServiceLog;
  /** Waits for running work, and returns the faults that the doctor finds. */
  examine(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export async function startOwnService(engine: FuzzEngine, leftovers: Leftovers): Promise<OwnService> {
  useTestPasswordCost();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdall-fuzz-'));
  leftovers.add(() => rmSync(dataDir, { recursive: true, force: true }));
  let postgres: Postgres | undefined;
  try {
    if (engine === 'postgres') postgres = await startPostgres({ fsync: false });
    const config = readConfig({
      HOLDALL_PORT: '0',
      HOLDALL_DATA_DIR: dataDir,
      HOLDALL_DATABASE_URL: postgres?.url,
      HOLDALL_ADMIN_PASSWORD: 'an admin who is not used',
      ...FUZZ_ENVIRONMENT,
    });
    const log = new ServiceLog();
    const app = await createApp(config, { logger: log.logger });
    const url = await app.listen();
    return {
      app,
      url,
      log,
      examine: () => examine(app),
      stop: async () => {
        await app.close();
        await postgres?.stop();
      },
    };
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

/** Waits for maintenance, and returns the faults that the doctor finds. */
export async function examine(app: App): Promise<readonly string[]> {
  await app.cleanUp();
  const said: string[] = [];
  const report = await examineDrive(
    app,
    {
      env: {},
      say: (line) => void said.push(line),
      progress: () => {},
      readLine: async () => '',
      signal: new AbortController().signal,
    },
    { isDeep: true, isRepairing: false, isJson: false },
  );
  return report.faults === 0 ? [] : said;
}
