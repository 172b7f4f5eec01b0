// tier: default
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ConfigError, findUnusedSettings, readConfig } from './config.ts';

const GIB = 1024 ** 3;
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

test('without any setting every value has its documented default', () => {
  assert.deepEqual(
    { ...readConfig({}) },
    {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: undefined,
      dataDir: path.resolve('data'),
      minFreeDiskBytes: GIB,
      videoThumbnails: false,
      contentSearch: true,
      webPush: true,
      thumbnailCacheBytes: GIB,
      databaseUrl: undefined,
      databaseConnections: 20,
      databaseFile: path.resolve('data', 'holdall.db'),
      databaseWaitMs: 30_000,
      s3: undefined,
      jwtSecret: undefined,
      downloadSecret: undefined,
      adminUsername: 'admin',
      adminPassword: undefined,
      inviteCode: undefined,
      devLogin: false,
      trustProxy: 0,
      corsOrigins: [],
      accelRedirect: undefined,
      webdav: true,
      metricsToken: undefined,
      metricsAddress: undefined,
      accessTokenTtlMs: 15 * MINUTE,
      refreshTokenTtlMs: 14 * DAY,
      onlineTransferTtlMs: 15 * MINUTE,
      offlineTransferTtlMs: 7 * DAY,
      offlineStorageLimitBytes: 20 * GIB,
      iceServers: [],
      uploadSessionTtlMs: DAY,
      recycleRetentionMs: 10 * DAY,
      versionRetentionMs: 10 * DAY,
      cleanupIntervalMs: 60 * MINUTE,
      downloadUrlTtlMs: 5 * MINUTE,
      workerConcurrency: 2,
      sharedDrives: 'all',
      maxSharedDrives: 10,
      taskLeaseMs: 2 * MINUTE,
      taskBackoffScale: 1,
      sweepGraceMs: 60 * MINUTE,
      defaultQuotaBytes: 50 * GIB,
      defaultMaxUploadBytes: 10 * GIB,
      defaultMaxEntries: 1_000_000,
      defaultDirectories: ['Documents', 'Pictures', 'Downloads'],
      rateLimits: true,
      requireSecondFactor: 'off',
      singleSignOn: undefined,
      peopleSearch: 'known',
      maxRequestsPerAddress: 1_000,
      timeZone: 'UTC',
      logAddresses: 'refused',
      migrate: true,
      slowRequestMs: 5_000,
      logFormat: 'auto',
      logLevel: 'info',
      mail: undefined,
    },
  );
});

test('one message names every wrong value', () => {
  const wrong = {
    HOLDALL_PORT: '99999',
    HOLDALL_PUBLIC_URL: 'drive.example.org',
    HOLDALL_DATABASE_URL: 'mysql://localhost/holdall',
    HOLDALL_STORAGE: 'tape',
    HOLDALL_JWT_SECRET: 'short',
    HOLDALL_DOWNLOAD_SECRET: 'short',
    HOLDALL_ADMIN_USERNAME: 'no blanks please',
    HOLDALL_ADMIN_PASSWORD: 'x'.repeat(1_025),
    HOLDALL_INVITE_CODE: 'x'.repeat(65),
    HOLDALL_DEV_LOGIN: 'perhaps',
    HOLDALL_ACCEL_REDIRECT: 'objects here',
    HOLDALL_ACCESS_TOKEN_TTL: '15 minutes',
    HOLDALL_REFRESH_TOKEN_TTL: '0s',
    HOLDALL_ONLINE_TRANSFER_TTL: 'soon',
    HOLDALL_OFFLINE_TRANSFER_TTL: 'late',
    HOLDALL_OFFLINE_STORAGE_LIMIT_BYTES: '1 gigabyte',
    HOLDALL_ICE_SERVERS: 'stun:stun.example.org',
    HOLDALL_UPLOAD_SESSION_TTL: '-1d',
    HOLDALL_RECYCLE_RETENTION: '10',
    HOLDALL_CLEANUP_INTERVAL: 'h',
    HOLDALL_DOWNLOAD_URL_TTL: '1y',
    HOLDALL_WORKER_CONCURRENCY: '-1',
    HOLDALL_TASK_LEASE: '0s',
    HOLDALL_TASK_BACKOFF_SCALE: 'slow',
    HOLDALL_SWEEP_GRACE: '1.5h',
    HOLDALL_DEFAULT_QUOTA_BYTES: '1.5G',
    HOLDALL_DEFAULT_MAX_UPLOAD_BYTES: '0',
    HOLDALL_DEFAULT_MAX_ENTRIES: '0',
    HOLDALL_SHARED_DRIVES: 'some',
    HOLDALL_MAX_SHARED_DRIVES: '-1',
    HOLDALL_RATE_LIMITS: 'some',
    HOLDALL_REQUIRE_SECOND_FACTOR: 'yes',
    HOLDALL_TIME_ZONE: 'Mars/Olympus',
    HOLDALL_LOG_LEVEL: 'loud',
  };
  assert.throws(
    () => readConfig(wrong),
    (error: unknown) => {
      assert(error instanceof ConfigError);
      for (const name of Object.keys(wrong))
        assert.match(error.message, new RegExp(`^ {2}${name} must be `, 'm'));
      assert.equal(error.message.split('\n').length, Object.keys(wrong).length + 1);
      assert.doesNotMatch(error.message, /short/, 'a secret is not repeated');
      return true;
    },
  );
});

test('values that would fail only later, or never, prevent the start', () => {
  const wrong: readonly (readonly [string, readonly string[]])[] = [
    ['HOLDALL_INVITE_CODE', ['x', '1234567']],
    ['HOLDALL_DEFAULT_DIRECTORIES', ['a/b', '..', 'a\\b', 'Inbox,Inbox', 'x'.repeat(256), 'e\u0301,é']],
    [
      'HOLDALL_TRUST_PROXY',
      ['nginx', '10.0.0.0/33', '10.0.0/8', '::1/129', '1.2.3.4/', '1.2.3.4/8/8', 'true,::1', '100', '1,2'],
    ],
    [
      'HOLDALL_CORS_ORIGINS',
      ['*', 'a.example', 'https://a.example/app', 'ftp://a.example', 'https://u:p@a.example', 'https://a/?x'],
    ],
    ['HOLDALL_ACCESS_TOKEN_TTL', ['1ms', '36501d']],
    ['HOLDALL_REFRESH_TOKEN_TTL', ['9ms', '36501d', '999999999h']],
    ['HOLDALL_ONLINE_TRANSFER_TTL', ['1ms']],
    ['HOLDALL_OFFLINE_TRANSFER_TTL', ['59ms']],
    ['HOLDALL_UPLOAD_SESSION_TTL', ['10ms', '91d']],
    ['HOLDALL_RECYCLE_RETENTION', ['10ms', '0d']],
    ['HOLDALL_VERSION_RETENTION', ['10ms', '0d']],
    ['HOLDALL_CLEANUP_INTERVAL', ['1ms', '25d', '999999999d']],
    ['HOLDALL_DOWNLOAD_URL_TTL', ['1ms', '8d']],
    ['HOLDALL_SWEEP_GRACE', ['0s', '91d', '999999999d']],
    ['HOLDALL_DATABASE_URL', ['postgres://a:b@127.0.0.1:port/holdall', 'postgres://a:b@/holdall']],
    // Fewer than the directories of a new account.
    ['HOLDALL_DEFAULT_MAX_ENTRIES', ['2', '0', '1e6']],
    ['HOLDALL_PUBLIC_URL', ['https://example.org/drive', 'https://example.org/?a', 'ftp://example.org']],
    ['HOLDALL_DEFAULT_QUOTA_BYTES', ['0', '-1', '1e6', '9999999999999999', '9999P', 'G', '1 X']],
    ['HOLDALL_TASK_LEASE', ['10ms', '25d']],
    ['HOLDALL_WORKER_CONCURRENCY', ['65', '1.5']],
    ['HOLDALL_TASK_BACKOFF_SCALE', ['-1', '1001', 'Infinity', 'NaN']],
  ];
  for (const [name, values] of wrong) {
    for (const value of values) {
      assert.throws(() => readConfig({ [name]: value }), {
        message: new RegExp(`^ {2}${name} must be `, 'm'),
      });
    }
  }
});

test('there are at most 50 default directories', () => {
  const directories = (count: number) =>
    readConfig({
      HOLDALL_DEFAULT_DIRECTORIES: Array.from({ length: count }, (_, index) => `d${index}`).join(),
    });
  assert.equal(directories(50).defaultDirectories.length, 50);
  assert.throws(() => directories(51), { message: /HOLDALL_DEFAULT_DIRECTORIES must be at most 50/ });
});

test('settings are accepted in the spellings that people use', () => {
  const config = readConfig({
    HOLDALL_PUBLIC_URL: 'https://drive.example.org/',
    HOLDALL_DATABASE_URL: 'postgresql://holdall@db/holdall',
    HOLDALL_DEV_LOGIN: 'ON',
    HOLDALL_RATE_LIMITS: 'off',
    HOLDALL_REQUIRE_SECOND_FACTOR: 'Admins',
    HOLDALL_TRUST_PROXY: '10.0.0.1, 10.1.0.0/16',
    HOLDALL_CORS_ORIGINS: 'https://a.example, https://B.example:443/, app://obsidian.md, Tauri://localhost/',
    HOLDALL_ACCEL_REDIRECT: '/_objects',
    HOLDALL_ACCESS_TOKEN_TTL: '500ms',
    HOLDALL_DEFAULT_DIRECTORIES: 'Inbox',
    HOLDALL_TIME_ZONE: 'Europe/Berlin',
    HOLDALL_LOG_LEVEL: 'WARN',
    HOLDALL_PORT: '',
  });
  assert.equal(config.publicUrl, 'https://drive.example.org');
  assert.equal(config.databaseUrl, 'postgresql://holdall@db/holdall');
  assert.equal(config.devLogin, true);
  assert.equal(config.rateLimits, false);
  assert.equal(config.requireSecondFactor, 'admins');
  assert.deepEqual(config.trustProxy, ['10.0.0.1', '10.1.0.0/16']);
  assert.deepEqual(config.corsOrigins, [
    ...['https://a.example', 'https://b.example', 'app://obsidian.md', 'tauri://localhost'],
  ]);
  assert.equal(config.accelRedirect, '/_objects/');
  assert.equal(config.accessTokenTtlMs, 500);
  assert.deepEqual(config.defaultDirectories, ['Inbox']);
  assert.equal(config.timeZone, 'Europe/Berlin');
  assert.equal(config.logLevel, 'warn');
  assert.equal(config.port, 8080, 'an empty value counts as not set');
  assert(Object.isFrozen(config));
});

test('bytes may have a unit', () => {
  const values = {
    '5': 5,
    '1k': 1_024,
    '500M': 500 * 1_024 ** 2,
    '10 GiB': 10 * GIB,
    '1GB': 1e9,
    '2TB': 2e12,
  };
  for (const [value, bytes] of Object.entries(values))
    assert.equal(readConfig({ HOLDALL_DEFAULT_QUOTA_BYTES: value }).defaultQuotaBytes, bytes, value);
});

test('any setting can be in a file', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'holdall-'));
  try {
    const file = path.join(directory, 'password');
    writeFileSync(file, 'two words\n');
    assert.equal(readConfig({ HOLDALL_ADMIN_PASSWORD_FILE: file }).adminPassword, 'two words');
    const wrong: readonly Record<string, string>[] = [
      { HOLDALL_ADMIN_PASSWORD_FILE: file, HOLDALL_ADMIN_PASSWORD: 'another' },
      { HOLDALL_ADMIN_PASSWORD_FILE: path.join(directory, 'nothing') },
      { HOLDALL_ADMIN_PASSWORD_FILE: directory },
    ];
    for (const values of wrong)
      assert.throws(
        () => readConfig(values),
        (error: Error) =>
          /HOLDALL_ADMIN_PASSWORD_FILE must/.test(error.message) && !/words/.test(error.message),
      );
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('settings that do not exist or have no effect are found', () => {
  const values = {
    HOLDALL_PROT: '9999',
    HOLDALL_S3_BUCKET: 'drive',
    HOLDALL_PORT: '80',
    HOLDALL_JWT_SECRET_FILE: '',
    HOLDALL_URL: 'https://drive.example.org',
    HOLDALL_TEST_SEED: '1',
    PATH: '/bin',
  };
  assert.deepEqual(findUnusedSettings(values), ['HOLDALL_PROT', 'HOLDALL_S3_BUCKET']);
  assert.deepEqual(findUnusedSettings(S3), []);
});

const S3 = {
  HOLDALL_STORAGE: 'S3',
  HOLDALL_S3_BUCKET: 'drive',
  HOLDALL_S3_ACCESS_KEY_ID: 'key',
  HOLDALL_S3_SECRET_ACCESS_KEY: 'secret',
};

test('for S3 only the bucket and the credentials are required', () => {
  assert.deepEqual(readConfig(S3).s3, {
    endpoint: undefined,
    publicEndpoint: undefined,
    region: 'us-east-1',
    bucket: 'drive',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    prefix: '',
    forcePathStyle: false,
    checksums: 'when-required',
  });
  const elsewhere = { ...S3, HOLDALL_S3_ENDPOINT: 'http://127.0.0.1:9000/', HOLDALL_S3_PREFIX: 'a/b' };
  const { s3 } = readConfig(elsewhere);
  assert.deepEqual([s3?.endpoint, s3?.forcePathStyle, s3?.prefix], ['http://127.0.0.1:9000', true, 'a/b']);
  for (const prefix of ['a/b/', '/a/b', '//a/b//']) {
    assert.equal(readConfig({ ...elsewhere, HOLDALL_S3_PREFIX: prefix }).s3?.prefix, 'a/b', prefix);
  }
  assert.equal(readConfig({ ...elsewhere, HOLDALL_S3_FORCE_PATH_STYLE: 'false' }).s3?.forcePathStyle, false);
});

test('an origin of a page, an app or an extension is accepted, and nothing else', () => {
  const id = 'abcdefghijklmnopabcdefghijklmnop';
  for (const origin of [`chrome-extension://${id}`, 'ionic://localhost', 'capacitor://localhost:8100']) {
    assert.deepEqual(readConfig({ HOLDALL_CORS_ORIGINS: origin }).corsOrigins, [origin]);
  }
  const others = ['*', 'null', 'app://', 'app:obsidian', 'app://*', 'app://a/b', 'app://a?b', 'app://a@b'];
  for (const text of [
    ...others,
    'file://x',
    'javascript://x',
    'ws://a.example',
    'https://*.example',
    '-://a',
  ]) {
    assert.throws(() => readConfig({ HOLDALL_CORS_ORIGINS: text }), /HOLDALL_CORS_ORIGINS/, text);
  }
});

test('missing or wrong settings for S3 prevent the start, and no secret is repeated', () => {
  assert.throws(
    () =>
      readConfig({
        HOLDALL_STORAGE: 's3',
        HOLDALL_S3_ENDPOINT: 'store:9000',
        HOLDALL_S3_PUBLIC_ENDPOINT: 'ftp://store',
        HOLDALL_S3_PREFIX: 'drive//photos',
        HOLDALL_S3_FORCE_PATH_STYLE: 'perhaps',
        HOLDALL_S3_CHECKSUMS: 'always',
        HOLDALL_ACCEL_REDIRECT: '/_objects/',
      }),
    (error: Error) => {
      const named = [...error.message.matchAll(/^ {2}(\w+) must be /gm)].map((match) => match[1]).sort();
      assert.deepEqual(named, [
        'HOLDALL_ACCEL_REDIRECT',
        'HOLDALL_S3_ACCESS_KEY_ID',
        'HOLDALL_S3_BUCKET',
        'HOLDALL_S3_CHECKSUMS',
        'HOLDALL_S3_ENDPOINT',
        'HOLDALL_S3_FORCE_PATH_STYLE',
        'HOLDALL_S3_PREFIX',
        'HOLDALL_S3_PUBLIC_ENDPOINT',
        'HOLDALL_S3_SECRET_ACCESS_KEY',
      ]);
      return true;
    },
  );
});

test('HOLDALL_TRUST_PROXY: true means one proxy, a number means that many', () => {
  const values = { off: 0, false: 0, '0': 0, true: 1, on: 1, '1': 1, '3': 3 };
  for (const [value, trustProxy] of Object.entries(values)) {
    assert.equal(readConfig({ HOLDALL_TRUST_PROXY: value }).trustProxy, trustProxy, value);
  }
});

test('HOLDALL_DEV_LOGIN is rejected on an address that others can reach', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost', '']) {
    assert.equal(readConfig({ HOLDALL_DEV_LOGIN: 'true', HOLDALL_HOST: host }).devLogin, true, host);
  }
  for (const host of ['0.0.0.0', '::', '192.168.1.5', '127.example.org', 'localhost.example.org']) {
    assert.throws(
      () => readConfig({ HOLDALL_DEV_LOGIN: 'true', HOLDALL_HOST: host }),
      /HOLDALL_DEV_LOGIN must be off/,
    );
    assert.equal(readConfig({ HOLDALL_HOST: host }).host, host);
  }
});

test('HOLDALL_TURN_SECRET is the secret of every TURN server without a credential or secret of its own', () => {
  const { iceServers } = readConfig({
    HOLDALL_TURN_SECRET: 'common',
    HOLDALL_ICE_SERVERS: JSON.stringify([
      { urls: 'stun:a' },
      { urls: 'turn:b' },
      { urls: 'turn:c', secret: 'own' },
      { urls: 'turn:d', username: 'u', credential: 'p' },
    ]),
  });
  assert.deepEqual(
    iceServers.map(({ secret }) => secret),
    [undefined, 'common', 'own', undefined],
  );
});
