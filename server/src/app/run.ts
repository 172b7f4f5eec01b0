import { type Logger, pino } from 'pino';
import type { FirstStart } from '../accounts/registration/first-start.ts';
import { MINUTE } from '../base/clock.ts';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { type App, createApp } from './app.ts';
import { releaseStartMemory } from './start-memory.ts';
import { onStopSignals } from './stop-signals.ts';
import { VERSION } from './version.ts';

/** The program has said that it stops; whoever stops it waits no longer than 10 s. */
const STOP_MS = 9_500;

/** With less, bytes that still come slowly or wait for their commit may be taken for abandoned. */
const SAFE_GRACE_MS = 10 * MINUTE;

/** Starts the service as the environment says and lets it run until a signal ends it. */
export async function run(): Promise<void> {
  const config = readConfigOrExit();
  const logger = pino({ level: config.logLevel });
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'a promise failed and nobody was waiting for it');
    process.exit(1);
  });
  try {
    if (config.sweepGraceMs < SAFE_GRACE_MS) {
      logger.warn('HOLDALL_SWEEP_GRACE is below 10m: a slow upload may lose its bytes to the clean-up');
    }
    const app = await createApp(config, { logger });
    stopOnSignal(app, logger);
    const address = await app.listen();
    releaseStartMemory();
    process.stdout.write(describeStart(config, address, app));
  } catch (error) {
    logger.fatal({ err: error }, 'the start failed');
    exitWith(`Holdall could not start: ${describeError(error)}`);
  }
}

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) exitWith(error.message);
    throw error;
  }
}

function stopOnSignal(app: App, logger: Logger): void {
  const stop = (signal: NodeJS.Signals) => {
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_MS).unref();
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ err: error }, 'the stop failed');
        process.exit(1);
      },
    );
  };
  onStopSignals(stop, () => process.exit(1));
}

function describeStart(config: Config, address: string, { firstStart, hasWebClient }: App): string {
  const lines = [
    `Holdall ${VERSION}`,
    `listening on ${address}`,
    `data in ${[config.dataDir, ...describeOutside(config)].join(', ')}`,
    ...(hasWebClient ? [] : ['without the web client, which `npm run build` makes']),
    ...(firstStart === undefined ? [] : describeFirstStart(firstStart)),
  ];
  return `\n${lines.join('\n')}\n\n`;
}

/** What does not lie in the data directory. */
function describeOutside({ databaseUrl, s3 }: Config): readonly string[] {
  return [
    ...(databaseUrl === undefined ? [] : ['database on PostgreSQL']),
    ...(s3 === undefined ? [] : [`objects in the bucket ${s3.bucket}`]),
  ];
}

function describeFirstStart({ adminUsername, generated, passwordFault, inviteCode }: FirstStart): string[] {
  const password =
    generated === undefined
      ? ['password: as set in HOLDALL_ADMIN_PASSWORD']
      : [
          `password: ${generated.password}`,
          `          (also in ${generated.file}, until it is changed for the first time)`,
        ];
  return [
    '',
    'This is the first start. Log in as the administrator and change the password:',
    `username: ${adminUsername}`,
    ...password,
    ...(passwordFault === undefined ? [] : [`          Mind that it ${passwordFault}.`]),
    `invite code for one registration: ${inviteCode}`,
  ];
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'the address is in use (HOLDALL_HOST, HOLDALL_PORT).';
  if (code === 'EACCES') return `${error.message} (permissions).`;
  return error.message;
}

function exitWith(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
