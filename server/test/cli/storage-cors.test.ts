// tier: default
// runs on: s3
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import {
  type CORSRule,
  CreateBucketCommand,
  DeleteBucketCommand,
  GetBucketCorsCommand,
  PutBucketCorsCommand,
} from '@aws-sdk/client-s3';
import { toClient } from '../../../tools/engines/s3/s3-client.ts';
import { inFull } from '../../../tools/testing/tiers.ts';
import { readSettings } from '../support/storage/test-storage.ts';

const CLI = path.join(import.meta.dirname, '..', '..', '..', 'cli', 'src', 'main.mjs');
const PAGE = 'https://drive.example.org';
const OTHER_PAGE = 'https://other.example.org';

const engine = readSettings(process.env.HOLDALL_TEST_S3);
assert(engine, 'HOLDALL_TEST_S3 names no S3 store: `npm test` starts one and sets it.');
const client = toClient(engine);
// CORS rules apply to a whole bucket, so this file has its own bucket.
const bucket = `cors-${randomBytes(4).toString('hex')}`;
const settings = {
  HOLDALL_STORAGE: 's3',
  HOLDALL_S3_ENDPOINT: engine.endpoint,
  HOLDALL_S3_BUCKET: bucket,
  HOLDALL_S3_ACCESS_KEY_ID: engine.accessKeyId,
  HOLDALL_S3_SECRET_ACCESS_KEY: engine.secretAccessKey,
};

before(() => client.send(new CreateBucketCommand({ Bucket: bucket })));
after(async () => {
  await client.send(new DeleteBucketCommand({ Bucket: bucket }));
  client.destroy();
});

test('a bucket without CORS rules is reported as closed to web pages', async () => {
  assert.deepEqual(await holdall('storage', 'cors'), {
    code: 0,
    said: `No page may use the bucket ${bucket}: it has no CORS rule.\n`,
    complained: '',
  });
  assert.equal((await preflight(PAGE, 'PUT')).status, 403);
});

test('only pages of the given origins may send PUT and GET', async () => {
  const { code, said } = await holdall(
    'storage',
    'cors',
    'https://Drive.example.org:443/',
    'http://[::1]:5000',
  );
  assert.equal(code, 0);
  assert.match(said, /https:\/\/drive\.example\.org/);
  for (const origin of [PAGE, 'http://[::1]:5000']) {
    for (const method of ['PUT', 'GET', 'HEAD']) {
      const { status, headers } = await preflight(origin, method);
      assert.equal(status, 200);
      assert.equal(headers.get('access-control-allow-origin'), origin);
      assert.match(headers.get('access-control-allow-headers') ?? '', /if-none-match/i);
      assert.match(headers.get('access-control-expose-headers') ?? '', /\bETag\b.*\bContent-Range\b/);
      assert.equal(headers.get('access-control-max-age'), '3600');
    }
  }
  assert.equal((await preflight(PAGE, 'DELETE')).headers.get('access-control-allow-methods'), null);
  for (const origin of [OTHER_PAGE, 'http://drive.example.org', `${PAGE}.evil.example`]) {
    const { status, headers } = await preflight(origin, 'PUT');
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [403, null]);
  }
});

test('other origins replace the earlier ones, while rules of other programs stay', async () => {
  const foreign: readonly CORSRule[] = [
    { ID: 'backup', AllowedOrigins: ['https://backup.example.org'], AllowedMethods: ['DELETE'] },
    { AllowedOrigins: ['https://nameless.example.org'], AllowedMethods: ['GET'], MaxAgeSeconds: 7 },
  ];
  const rules = { CORSRules: [...foreign, ...(await readRules())] };
  await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: rules }));
  for (let time = 0; time < 2; time += 1)
    assert.equal((await holdall('storage', 'cors', OTHER_PAGE)).code, 0);
  const [own, ...others] = await readRules();
  assert.deepEqual([own?.ID, own?.AllowedOrigins], ['holdall', [OTHER_PAGE]]);
  assert.deepEqual(
    others.map(({ ID, AllowedOrigins, AllowedMethods }) => [ID, AllowedOrigins, AllowedMethods]),
    foreign.map(({ ID, AllowedOrigins, AllowedMethods }) => [ID, AllowedOrigins, AllowedMethods]),
  );
  assert.equal(others[1]?.MaxAgeSeconds, 7);
  assert.equal((await preflight(PAGE, 'PUT')).status, 403);
  const { said } = await holdall('storage', 'cors');
  assert.match(said, /other\.example\.org .*rule holdall\)\n/);
  assert.match(said, /backup\.example\.org \(DELETE; rule backup\)\n/);
});

test('invalid arguments are reported and change nothing', inFull, async () => {
  const rules = await readRules();
  const cases: readonly (readonly [
    words: readonly string[],
    complaint: RegExp,
    env?: Record<string, string>,
  ])[] = [
    [[], /^Usage:\n {2}holdall serve\n/],
    [['storage'], /^There is no command "storage".\n\nUsage:/],
    [['storage', 'corset'], /^There is no command "storage corset"/],
    [['storage', 'cors', '*'], /^"\*" is not an origin. Write https:/],
    [['storage', 'cors', PAGE, `${PAGE}/app`], /app" is not an origin/],
    [['storage', 'cors', PAGE], /^Objects are stored on the local disk/, { HOLDALL_STORAGE: 'local' }],
    [['storage', 'cors', PAGE], /HOLDALL_S3_BUCKET must be/, { HOLDALL_S3_BUCKET: '' }],
  ];
  for (const [words, complaint, env] of cases) {
    const { code, said, complained } = await holdall(...words, env ?? {});
    assert.deepEqual([code, said], [2, ''], complained);
    assert.match(complained, complaint);
  }
  assert.deepEqual(await readRules(), rules);
});

test('--help explains all commands, or only those that are named', inFull, async () => {
  const explain = async (...words: string[]) => {
    const { code, said, complained } = await holdall(...words);
    assert.deepEqual([code, complained], [0, '']);
    return [...said.matchAll(/^ {2}holdall (.*)$/gm)].map(([, command]) => command);
  };
  for (const words of [['help'], ['--help'], ['nothing', '--help']]) {
    const all = await explain(...words);
    assert.equal(all[0], 'serve');
    assert.ok(all.includes('storage cors [ORIGIN…]') && all.includes('--version'));
  }
  assert.deepEqual(await explain('storage', 'cors', 'https://a.example', '--help'), [
    'storage cors [ORIGIN…]',
  ]);
  assert.deepEqual(await explain('help', 'doctor'), ['doctor [--deep] [--repair] [--json]']);
  assert.equal((await explain('admin', '-h')).length, 4);
});

test(
  'a store that denies access, is unreachable or has no CORS is reported without secrets',
  inFull,
  async () => {
    const simple = createServer((_request, response) => {
      response.writeHead(501, { 'content-type': 'application/xml' });
      response.end('<Error><Code>NotImplemented</Code><Message>no</Message></Error>');
    });
    after(() => simple.close());
    await once(simple.listen(0, '127.0.0.1'), 'listening');
    // The address of a server that listens on a port is always an object.
    const { port } = simple.address() as AddressInfo;
    const cases: readonly (readonly [env: Record<string, string>, complaint: RegExp])[] = [
      [{ HOLDALL_S3_BUCKET: 'not-there' }, /^The object store .*not-there: the bucket does not exist\.\n$/],
      [{ HOLDALL_S3_SECRET_ACCESS_KEY: 'wrong' }, /the secret key does not match the access key/],
      [{ HOLDALL_S3_ENDPOINT: 'http://127.0.0.1:1' }, /^The object store cannot be reached\.\n$/],
      [{ HOLDALL_S3_ENDPOINT: `http://127.0.0.1:${port}` }, /^This object store does not support CORS rules/],
    ];
    const answers = cases.map(([env]) => holdall('storage', 'cors', PAGE, env));
    for (const [index, [, complaint]] of cases.entries()) {
      const { code, said, complained } = (await answers[index]) ?? assert.fail();
      assert.deepEqual([code, said], [1, ''], complained);
      assert.match(complained, complaint);
      assert.ok(!complained.includes(settings.HOLDALL_S3_SECRET_ACCESS_KEY));
    }
  },
);

/** Runs the command line as a program. */
async function holdall(...words: readonly (string | Record<string, string>)[]) {
  const env = Object.assign({ PATH: process.env.PATH }, settings, ...words.filter(isSettings));
  const child = spawn(process.execPath, [CLI, ...words.filter((word) => typeof word === 'string')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, said, complained };
}

function isSettings(word: string | Record<string, string>): word is Record<string, string> {
  return typeof word !== 'string';
}

/** Sends the preflight request of a browser that uploads a part from a page of this origin. */
function preflight(origin: string, method: string): Promise<Response> {
  return fetch(`${engine?.endpoint}/${bucket}/some/key`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'if-none-match',
    },
  });
}

async function readRules(): Promise<readonly CORSRule[]> {
  const { CORSRules = [] } = await client.send(new GetBucketCorsCommand({ Bucket: bucket }));
  return CORSRules;
}
