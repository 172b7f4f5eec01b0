import { isIP } from 'node:net';
import path from 'node:path';
import { isLoopback, type ListenAddress, parseListenAddress } from '../base/network/listen-address.ts';
import { type FileName, toFileName } from '../base/text/names/file-name.ts';
import { trimSlashes } from '../base/text/trim-slashes.ts';
import { Environment } from './environment.ts';
import { readIceServers } from './ice-servers.ts';
import { readMailSettings } from './mail.ts';
import { toOrigin } from './origin.ts';
import { readSettingFiles } from './setting-files.ts';
import { readSingleSignOn } from './single-sign-on.ts';

const GIB = 1024 ** 3;

const DEFAULT_HOST = '127.0.0.1';

/** The longest delay of a timer, in whole days: setTimeout fires immediately for longer ones. */
const MAX_TIMER = '24d';

/**
 * All settings of the environment (see `docs/operations.md`), validated and frozen. Durations are in
 * milliseconds.
 */
export type Config = ReturnType<typeof readSettings>;

/** Its message names every wrong value, one per line. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`Holdall cannot start with these settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Values = Readonly<Record<string, string | undefined>>;

/** Settings of the client commands, and of the tests. */
const OTHER_PROGRAMS =
  /^HOLDALL_(?:URL|APP_PASSWORD|TRANSFER_SECRET|CONFORMANCE_PASSWORD|TEST_\w+)(?:_FILE)?$/;

/** @throws ConfigError */
export function readConfig(values: Values): Config {
  const files = readSettingFiles(values);
  const environment = new Environment(files.values);
  const config = readSettings(environment);
  const faults = [...files.faults, ...environment.faults];
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

/** The names of settings that do not exist, or have no effect with the other settings. */
export function findUnusedSettings(values: Values): readonly string[] {
  const environment = new Environment(readSettingFiles(values).values);
  readSettings(environment);
  return Object.keys(values).filter((name) => {
    if (!name.startsWith('HOLDALL_') || OTHER_PROGRAMS.test(name)) return false;
    return !environment.names.has(name) && !environment.names.has(name.replace(/_FILE$/, ''));
  });
}

// The ranges exclude values that would break the service: no one could log in or finish an upload, work would
// never end or would repeat without a pause, or a sweep would list years of days.
function readSettings(env: Environment) {
  const dataDir = path.resolve(env.text('HOLDALL_DATA_DIR') ?? 'data');
  return {
    host: env.text('HOLDALL_HOST') ?? DEFAULT_HOST,
    port: env.integer('HOLDALL_PORT', 8080, 0, 65_535),
    publicUrl: env.rootUrl('HOLDALL_PUBLIC_URL'),
    dataDir,
    minFreeDiskBytes: env.bytes('HOLDALL_MIN_FREE_DISK_BYTES', GIB, 0),
    videoThumbnails: env.flag('HOLDALL_VIDEO_THUMBNAILS', false),
    thumbnailCacheBytes: env.bytes('HOLDALL_THUMBNAIL_CACHE_BYTES', GIB, 0),
    databaseUrl: readDatabaseUrl(env),
    databaseFile: path.join(dataDir, 'holdall.db'),
    databaseWaitMs: env.durationMs('HOLDALL_DATABASE_WAIT', '30s', { max: MAX_TIMER }),
    databaseConnections: env.integer('HOLDALL_DATABASE_CONNECTIONS', 20, 2, 1_000),
    s3: readS3(env),
    jwtSecret: env.secret('HOLDALL_JWT_SECRET', 32),
    downloadSecret: env.secret('HOLDALL_DOWNLOAD_SECRET', 32),
    adminUsername:
      env.pattern('HOLDALL_ADMIN_USERNAME', /^[\w.-]{3,64}$/, '3 to 64 letters, digits or . _ -') ?? 'admin',
    adminPassword: env.pattern('HOLDALL_ADMIN_PASSWORD', /^[\s\S]{1,1024}$/, 'at most 1,024 characters long'),
    inviteCode: env.pattern('HOLDALL_INVITE_CODE', /^.{8,64}$/u, 'text of 8 to 64 characters'),
    devLogin: readDevLogin(env),
    trustProxy: readTrustProxy(env),
    corsOrigins: readOrigins(env),
    accelRedirect: readAccelRedirect(env),
    webdav: env.flag('HOLDALL_WEBDAV', true),
    metricsToken: env.text('HOLDALL_METRICS_TOKEN'),
    metricsAddress: readMetricsAddress(env),
    accessTokenTtlMs: env.durationMs('HOLDALL_ACCESS_TOKEN_TTL', '15m', { min: '100ms' }),
    requireSecondFactor: env.oneOf('HOLDALL_REQUIRE_SECOND_FACTOR', ['off', 'admins', 'all'], 'off'),
    singleSignOn: readSingleSignOn(env),
    mail: readMailSettings(env),
    contentSearch: env.flag('HOLDALL_CONTENT_SEARCH', true),
    webPush: env.flag('HOLDALL_WEB_PUSH', true),
    peopleSearch: env.oneOf('HOLDALL_PEOPLE_SEARCH', ['known', 'all'], 'known'),
    offlineStorageLimitBytes: env.bytes('HOLDALL_OFFLINE_STORAGE_LIMIT_BYTES', 20 * GIB, 0),
    refreshTokenTtlMs: env.durationMs('HOLDALL_REFRESH_TOKEN_TTL', '14d', { min: '100ms' }),
    onlineTransferTtlMs: env.durationMs('HOLDALL_ONLINE_TRANSFER_TTL', '15m', { min: '100ms' }),
    offlineTransferTtlMs: env.durationMs('HOLDALL_OFFLINE_TRANSFER_TTL', '7d', { min: '100ms' }),
    iceServers: readIceServers(env),
    uploadSessionTtlMs: env.durationMs('HOLDALL_UPLOAD_SESSION_TTL', '24h', { min: '100ms', max: '90d' }),
    recycleRetentionMs: env.durationMs('HOLDALL_RECYCLE_RETENTION', '10d', { min: '100ms' }),
    versionRetentionMs: env.durationMs('HOLDALL_VERSION_RETENTION', '10d', { min: '100ms' }),
    cleanupIntervalMs: env.durationMs('HOLDALL_CLEANUP_INTERVAL', '1h', { min: '100ms', max: MAX_TIMER }),
    downloadUrlTtlMs: env.durationMs('HOLDALL_DOWNLOAD_URL_TTL', '300s', { min: '100ms', max: '7d' }),
    workerConcurrency: env.integer('HOLDALL_WORKER_CONCURRENCY', 2, 0, 64),
    defaultQuotaBytes: env.bytes('HOLDALL_DEFAULT_QUOTA_BYTES', 50 * GIB, 1),
    defaultMaxUploadBytes: env.bytes('HOLDALL_DEFAULT_MAX_UPLOAD_BYTES', 10 * GIB, 1),
    sharedDrives: env.oneOf('HOLDALL_SHARED_DRIVES', ['all', 'admins', 'off'], 'all'),
    maxSharedDrives: env.integer('HOLDALL_MAX_SHARED_DRIVES', 10, 0, 10_000),
    taskLeaseMs: env.durationMs('HOLDALL_TASK_LEASE', '120s', { min: '100ms', max: MAX_TIMER }),
    taskBackoffScale: env.decimal('HOLDALL_TASK_BACKOFF_SCALE', 1, 0, 1_000),
    sweepGraceMs: env.durationMs('HOLDALL_SWEEP_GRACE', '1h', { max: '90d' }),
    ...readDirectories(env),
    rateLimits: env.flag('HOLDALL_RATE_LIMITS', true),
    maxRequestsPerAddress: env.integer('HOLDALL_MAX_REQUESTS_PER_ADDRESS', 1_000, 5, 1_000_000),
    timeZone: readTimeZone(env),
    logAddresses: env.oneOf('HOLDALL_LOG_ADDRESSES', ['refused', 'all', 'off'], 'refused'),
    migrate: env.flag('HOLDALL_MIGRATE', true),
    slowRequestMs: env.durationMs('HOLDALL_SLOW_REQUEST', '5s', { max: MAX_TIMER }),
    logFormat: env.oneOf('HOLDALL_LOG_FORMAT', ['auto', 'json', 'text'], 'auto'),
    logLevel: env.oneOf(
      'HOLDALL_LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
    ),
  };
}

/**
 * With dev login, everyone who reaches the service can log in as anyone, so only this machine may reach it.
 */
function readDevLogin(env: Environment): boolean {
  const isOn = env.flag('HOLDALL_DEV_LOGIN', false);
  const host = env.text('HOLDALL_HOST') ?? DEFAULT_HOST;
  if (isOn && !isLoopback(host)) {
    env.fault('HOLDALL_DEV_LOGIN', `off, unless HOLDALL_HOST is a loopback address such as ${DEFAULT_HOST}`);
  }
  return isOn;
}

/** Checked here because the driver's own error, `Invalid URL`, does not name the setting. */
function readDatabaseUrl(env: Environment): string | undefined {
  const url = env.pattern('HOLDALL_DATABASE_URL', /^postgres(ql)?:\/\//, 'a postgres:// URL');
  if (url !== undefined && !URL.canParse(url)) {
    env.fault('HOLDALL_DATABASE_URL', 'a URL such as postgres://name:password@host:5432/database');
  }
  return url;
}

function readMetricsAddress(env: Environment): ListenAddress | undefined {
  const text = env.text('HOLDALL_METRICS_ADDRESS');
  if (text === undefined) return undefined;
  const address = parseListenAddress(text);
  if (address === undefined) {
    env.fault('HOLDALL_METRICS_ADDRESS', 'an address with a port, such as 127.0.0.1:9464');
  }
  return address;
}

/** Undefined if objects are stored on the local disk. */
export type S3Settings = NonNullable<ReturnType<typeof readS3>>;

function readS3(env: Environment) {
  if (env.oneOf('HOLDALL_STORAGE', ['local', 's3'], 'local') === 'local') return undefined;
  const endpoint = readEndpoint(env, 'HOLDALL_S3_ENDPOINT');
  return {
    endpoint,
    publicEndpoint: readEndpoint(env, 'HOLDALL_S3_PUBLIC_ENDPOINT'),
    region: env.text('HOLDALL_S3_REGION') ?? 'us-east-1',
    bucket: env.required('HOLDALL_S3_BUCKET', 'the name of the bucket, as HOLDALL_STORAGE is s3'),
    accessKeyId: env.required('HOLDALL_S3_ACCESS_KEY_ID', 'set, as HOLDALL_STORAGE is s3'),
    secretAccessKey: env.required('HOLDALL_S3_SECRET_ACCESS_KEY', 'set, as HOLDALL_STORAGE is s3'),
    prefix: readPrefix(env),
    // Few stores except Amazon's have a host name for each bucket.
    forcePathStyle: env.flag('HOLDALL_S3_FORCE_PATH_STYLE', endpoint !== undefined),
    checksums: env.oneOf('HOLDALL_S3_CHECKSUMS', ['when-required', 'when-supported'], 'when-required'),
  };
}

/** Slashes around the prefix are ignored. */
function readPrefix(env: Environment): string {
  const prefix = trimSlashes(env.text('HOLDALL_S3_PREFIX') ?? '');
  if (prefix !== '' && !/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(prefix)) {
    env.fault('HOLDALL_S3_PREFIX', 'letters, digits and . _ -, in segments with / between them');
  }
  return prefix;
}

/** The endpoint is stored in the database and shown to admins, so it must not contain credentials. */
function readEndpoint(env: Environment, name: string): string | undefined {
  const address = env.url(name);
  if (address !== undefined && /^https?:\/\/[^/]*@/.test(address)) {
    env.fault(name, 'a URL without a username and a password');
  }
  return address;
}

/**
 * The proxies whose forwarding headers are trusted: how many of them a request passes through (0: none), or
 * their addresses and networks.
 */
function readTrustProxy(env: Environment): number | readonly string[] {
  const list = env.list('HOLDALL_TRUST_PROXY');
  const only = list.length === 1 ? (list[0]?.toLowerCase() ?? '') : '';
  if (list.length === 0 || only === 'off' || only === 'false') return 0;
  if (only === 'on' || only === 'true') return 1;
  if (/^\d{1,2}$/.test(only)) return Number(only);
  if (!list.every(isAddressRange)) {
    env.fault(
      'HOLDALL_TRUST_PROXY',
      'off, true (one proxy), the number of proxies, or addresses and networks such as 127.0.0.1, 10.0.0.0/8',
    );
  }
  return list;
}

/** Whether the text is an IP address or a network such as `10.0.0.0/8`. */
function isAddressRange(text: string): boolean {
  const [address = '', bits, rest] = text.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (rest !== undefined || maxBits === -1) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
}

function readOrigins(env: Environment): readonly string[] {
  const origins = env.list('HOLDALL_CORS_ORIGINS').map(toOrigin);
  const known = origins.filter((origin) => origin !== undefined);
  if (known.length < origins.length) {
    env.fault(
      'HOLDALL_CORS_ORIGINS',
      'origins such as https://drive.example.org or app://obsidian.md, without a path',
    );
  }
  return known;
}

function readDirectories(env: Environment) {
  const defaultDirectories = readDirectoryNames(env);
  // With a lower limit, no account could be created.
  const least = Math.max(1, defaultDirectories.length);
  return {
    defaultDirectories,
    defaultMaxEntries: env.integer('HOLDALL_DEFAULT_MAX_ENTRIES', 1_000_000, least),
  };
}

/** The maximum number of directories that a new drive starts with. */
export const MAX_DEFAULT_DIRECTORIES = 50;

function readDirectoryNames(env: Environment): readonly FileName[] {
  const list = env.list('HOLDALL_DEFAULT_DIRECTORIES', ['Documents', 'Pictures', 'Downloads']);
  const names = list.map(findFileName).filter((name) => name !== undefined);
  if (new Set(names).size < list.length || list.length > MAX_DEFAULT_DIRECTORIES) {
    const most = `at most ${MAX_DEFAULT_DIRECTORIES} names of directories`;
    env.fault('HOLDALL_DEFAULT_DIRECTORIES', `${most}, each once, without separators`);
  }
  return names;
}

function findFileName(text: string): FileName | undefined {
  try {
    return toFileName(text);
  } catch {
    return undefined;
  }
}

/** The nginx location that serves the object directory, or undefined. */
function readAccelRedirect(env: Environment): string | undefined {
  const value = env.text('HOLDALL_ACCEL_REDIRECT');
  if (value === undefined || value.toLowerCase() === 'off') return undefined;
  if (!/^\/[\w/-]*$/.test(value)) env.fault('HOLDALL_ACCEL_REDIRECT', 'off or a location such as /_objects/');
  if (env.text('HOLDALL_STORAGE')?.toLowerCase() === 's3') {
    env.fault('HOLDALL_ACCEL_REDIRECT', 'off, as HOLDALL_STORAGE is s3: the proxy cannot see the objects');
  }
  return value.endsWith('/') ? value : `${value}/`;
}

function readTimeZone(env: Environment): string {
  const zone = env.text('HOLDALL_TIME_ZONE');
  // Looking up a zone loads 8 MB of tables, which is not needed for the default.
  if (zone === undefined) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    env.fault('HOLDALL_TIME_ZONE', 'a time zone such as UTC or Europe/Berlin');
    return 'UTC';
  }
}
