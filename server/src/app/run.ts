import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Logger } from 'pino';
import type { FirstStart } from '../accounts/registration/first-start.ts';
import { HOUR, MINUTE } from '../base/clock.ts';
import { type Config, ConfigError, findUnusedSettings, readConfig } from '../config/config.ts';
import { acquireServiceLock } from '../database/sqlite/service-lock.ts';
import { type App, createApp } from './app.ts';
import { openLog } from './process/log.ts';
import { onStopSignals } from './process/stop-signals.ts';
import { VERSION } from './version.ts';

/** The process ends within 10 s after the signal, whatever still runs. */
const STOP_MS = 9_500;

/** Below this, sweeps of other instances may make a slow upload fail, and backups may miss bytes. */
const SAFE_GRACE_MS = 10 * MINUTE;
/** Below this, people cannot take back what they deleted or replaced. */
const SAFE_RETENTION_MS = HOUR;

const UNUSED_WARNING = 'some settings are unknown, or have no effect with the other settings';

const SHARED_DIRECTORY_WARNING =
  'another process also serves this data directory; clients see changes of the other one late';

const DEV_LOGIN_WARNING =
  'HOLDALL_DEV_LOGIN is on: anyone on this machine can log in as anyone without a password';

/** Starts the service with the settings of the environment and runs it until a signal ends it. */
export async function run(): Promise<void> {
  const config = readConfigOrExit();
  const logger = openLog(config.logLevel, config.logFormat);
  // Ignores write errors: the reader may be gone, or the disk may be full.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.stdout.write(`\nHoldall ${VERSION}\n\n`);
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled promise rejection');
    process.exit(1);
  });
  try {
    const unused = findUnusedSettings(process.env);
    if (unused.length > 0) logger.warn({ settings: unused }, UNUSED_WARNING);
    const warnings = [...listWarnings(config), ...warnOfOtherService(config)];
    for (const warning of warnings) logger.warn(warning);
    const app = await createApp(config, { logger });
    stopOnSignal(app, logger);
    const address = await app.listen();
    releaseStartMemory();
    process.stdout.write(describeStart(config, address, app, unused));
  } catch (error) {
    logger.fatal({ err: error }, 'the start failed');
    exitWith(`Holdall could not start: ${describeError(error)}`);
  }
}

/** Warnings about settings that are valid but rarely intended. */
function listWarnings(config: Config): readonly string[] {
  const warnings: readonly (readonly [boolean, string])[] = [
    [config.sweepGraceMs < SAFE_GRACE_MS, 'HOLDALL_SWEEP_GRACE is below 10m: slow uploads may fail'],
    [config.recycleRetentionMs < SAFE_RETENTION_MS, 'HOLDALL_RECYCLE_RETENTION is below 1h'],
    [config.versionRetentionMs < SAFE_RETENTION_MS, 'HOLDALL_VERSION_RETENTION is below 1h'],
    [
      config.mail !== undefined && config.publicUrl === undefined,
      'HOLDALL_PUBLIC_URL is not set: no mail is sent, because it could not contain links',
    ],
    [config.devLogin, DEV_LOGIN_WARNING],
  ];
  return warnings.flatMap(([applies, warning]) => (applies ? [warning] : []));
}

/** Warns of another service on the same SQLite file. With PostgreSQL any number of instances may run. */
function warnOfOtherService({ databaseUrl, databaseFile }: Config): readonly string[] {
  if (databaseUrl !== undefined) return [];
  const lock = acquireServiceLock(databaseFile);
  process.once('exit', () => lock.release());
  return lock.isTaken ? [SHARED_DIRECTORY_WARNING] : [];
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

function describeStart(
  config: Config,
  address: string,
  { firstStart, hasWebClient }: App,
  unused: readonly string[],
): string {
  const lines = [
    `listening on ${address}`,
    `data in ${[config.dataDir, ...describeOutside(config)].join(', ')}`,
    ...(unused.length === 0 ? [] : [`WARNING: ${UNUSED_WARNING}: ${unused.join(', ')}`]),
    ...(config.devLogin ? [`WARNING: ${DEV_LOGIN_WARNING}`] : []),
    ...(hasWebClient ? [] : ['without the web client; `npm run build` builds it']),
    ...(firstStart === undefined ? [] : describeFirstStart(firstStart)),
  ];
  return `\n${lines.join('\n')}\n\n`;
}

/** Names what is stored outside the data directory. */
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
    ...(passwordFault === undefined ? [] : [`          Warning: it ${passwordFault}.`]),
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

/**
 * Releases the memory that only the start needed. Loading and compiling leaves V8's young generation at its
 * full size, about 40 MB, which an idle service would hold for hours. So one collection of about 30 ms runs a
 * second after the call, when everything from the start is garbage.
 */
function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  setTimeout(() => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }), 1_000).unref();
}
