import path from 'node:path';
import { Environment } from './environment.ts';

const GIB = 1024 ** 3;

/** Everything that a start can be told (contract, section 12), checked and frozen. Durations in milliseconds. */
export type Config = ReturnType<typeof readSettings>;

/** One message that names every wrong value, one a line. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`Holdall cannot start with these settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** @throws ConfigError */
export function readConfig(values: Readonly<Record<string, string | undefined>>): Config {
  const environment = new Environment(values);
  const config = readSettings(environment);
  if (environment.faults.length > 0) throw new ConfigError(environment.faults);
  return Object.freeze(config);
}

function readSettings(env: Environment) {
  return {
    host: env.text('HOLDALL_HOST') ?? '127.0.0.1',
    port: env.integer('HOLDALL_PORT', 8080, 0, 65_535),
    publicUrl: env.url('HOLDALL_PUBLIC_URL'),
    dataDir: path.resolve(env.text('HOLDALL_DATA_DIR') ?? 'data'),
    databaseUrl: env.pattern('HOLDALL_DATABASE_URL', /^postgres(ql)?:\/\//, 'a postgres:// address'),
    storage: env.oneOf('HOLDALL_STORAGE', ['local'], 'local'),
    jwtSecret: env.secret('HOLDALL_JWT_SECRET', 32),
    downloadSecret: env.secret('HOLDALL_DOWNLOAD_SECRET', 32),
    adminUsername:
      env.pattern('HOLDALL_ADMIN_USERNAME', /^[\w.-]{3,64}$/, '3 to 64 letters, digits or . _ -') ?? 'admin',
    adminPassword: env.text('HOLDALL_ADMIN_PASSWORD'),
    inviteCode: env.pattern('HOLDALL_INVITE_CODE', /^.{1,64}$/u, 'text of 1 to 64 characters'),
    devLogin: env.flag('HOLDALL_DEV_LOGIN', false),
    trustProxy: readTrustProxy(env),
    corsOrigins: env.list('HOLDALL_CORS_ORIGINS'),
    accelRedirect: readAccelRedirect(env),
    metricsToken: env.text('HOLDALL_METRICS_TOKEN'),
    accessTokenTtlMs: env.durationMs('HOLDALL_ACCESS_TOKEN_TTL', '15m'),
    refreshTokenTtlMs: env.durationMs('HOLDALL_REFRESH_TOKEN_TTL', '14d'),
    uploadSessionTtlMs: env.durationMs('HOLDALL_UPLOAD_SESSION_TTL', '24h'),
    recycleRetentionMs: env.durationMs('HOLDALL_RECYCLE_RETENTION', '10d'),
    cleanupIntervalMs: env.durationMs('HOLDALL_CLEANUP_INTERVAL', '1h'),
    downloadUrlTtlMs: env.durationMs('HOLDALL_DOWNLOAD_URL_TTL', '300s'),
    sweepGraceMs: env.durationMs('HOLDALL_SWEEP_GRACE', '1h'),
    defaultQuotaBytes: env.integer('HOLDALL_DEFAULT_QUOTA_BYTES', 50 * GIB, 1),
    defaultMaxUploadBytes: env.integer('HOLDALL_DEFAULT_MAX_UPLOAD_BYTES', 10 * GIB, 1),
    defaultDirectories: env.list('HOLDALL_DEFAULT_DIRECTORIES', ['Documents', 'Pictures', 'Downloads']),
    rateLimits: env.flag('HOLDALL_RATE_LIMITS', true),
    timeZone: readTimeZone(env),
    logLevel: env.oneOf(
      'HOLDALL_LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
    ),
  };
}

/** `off`, `true` (any proxy), or addresses and ranges of proxies whose forwarding headers count. */
function readTrustProxy(env: Environment): boolean | string[] {
  const list = env.list('HOLDALL_TRUST_PROXY');
  const only = list.length === 1 ? list[0]?.toLowerCase() : undefined;
  if (list.length === 0 || only === 'off' || only === 'false') return false;
  return only === 'on' || only === 'true' ? true : [...list];
}

/** The location under which a front proxy serves the object directory, or undefined. */
function readAccelRedirect(env: Environment): string | undefined {
  const value = env.text('HOLDALL_ACCEL_REDIRECT');
  if (value === undefined || value.toLowerCase() === 'off') return undefined;
  if (!/^\/[\w/-]*$/.test(value)) env.fault('HOLDALL_ACCEL_REDIRECT', 'off or a location such as /_objects/');
  return value.endsWith('/') ? value : `${value}/`;
}

function readTimeZone(env: Environment): string {
  const zone = env.text('HOLDALL_TIME_ZONE');
  // Asking for a zone loads 8 MB of tables, which those who did not name one do without.
  if (zone === undefined) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    env.fault('HOLDALL_TIME_ZONE', 'a time zone such as UTC or Europe/Berlin');
    return 'UTC';
  }
}
