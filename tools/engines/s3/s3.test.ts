// tier: full
// needs: bucket
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { startS3 } from './s3.ts';
import { type S3Settings, toClient } from './s3-client.ts';

const run = promisify(execFile);

const s3 = await startS3();
after(() => s3.stop());
const client = toClient(s3.settings);
const { bucket: Bucket } = s3.settings;

test('a started store stores objects, and its bucket is empty', async () => {
  const { KeyCount } = await client.send(new ListObjectsV2Command({ Bucket }));
  assert.equal(KeyCount, 0);
  await assert.rejects(client.send(new GetBucketCorsCommand({ Bucket })), {
    name: 'NoSuchCORSConfiguration',
  });
  await client.send(new PutObjectCommand({ Bucket, Key: 'kept', Body: 'bytes' }));
  assert.equal(await read(s3.settings), 'bytes');
});

test('a request without a signature, or with a wrong one, is rejected', async () => {
  const guessed = { ...s3.settings, secretAccessKey: 'guessed' };
  await assert.rejects(read(guessed), { name: 'SignatureDoesNotMatch' });
  const answer = await fetch(`${s3.settings.endpoint}/${Bucket}/kept`);
  assert.equal(answer.status, 403);
});

test('the bucket can be addressed as a host', async () => {
  const { port } = new URL(s3.settings.endpoint);
  const ask = request({ host: '127.0.0.1', port, headers: { host: `${Bucket}.localhost:${port}` } }).end();
  const [answer] = await once(ask, 'response');
  assert.ok(
    (await text(answer)).includes(`<Code>AccessDenied</Code><Message></Message><BucketName>${Bucket}<`),
  );
});

test('during an outage all requests are refused, and nothing is lost', async () => {
  await client.send(new PutObjectCommand({ Bucket, Key: 'kept', Body: 'bytes' }));
  await s3.stopGateway();
  await assert.rejects(fetch(s3.settings.endpoint), /fetch failed/);
  await s3.startGateway();
  assert.equal(await read(s3.settings), 'bytes');
});

test('a store can be configured to accept small parts and to compress', async () => {
  const other = await startS3({ minPartBytes: 1_024, isCompressed: true, prefix: ['nice'] });
  after(() => other.stop());
  const own = toClient(other.settings);
  const place = { Bucket: other.settings.bucket, Key: 'zeros' };
  const content = new Uint8Array(4_096);
  const { UploadId } = await own.send(new CreateMultipartUploadCommand(place));
  const Parts: CompletedPart[] = [];
  for (const PartNumber of [1, 2, 3]) {
    const part = { ...place, UploadId, PartNumber, Body: content };
    const { ETag } = await own.send(new UploadPartCommand(part));
    Parts.push({ PartNumber, ETag });
  }
  await own.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }));
  const { Body } = await own.send(new GetObjectCommand(place));
  assert.deepEqual(await Body?.transformToByteArray(), new Uint8Array(3 * content.length));
  own.destroy();

  const config = path.join(findDirectory(other.settings.endpoint), 'ceph.conf');
  const stats = await run('radosgw-admin', ['-c', config, 'bucket', 'stats', '--bucket', place.Bucket]);
  const { size, size_utilized: kept } = JSON.parse(stats.stdout).usage['rgw.main'];
  assert.equal(size, 3 * content.length);
  assert.ok(kept < size / 10, `it keeps ${kept} bytes`);
});

test('a stopped store leaves no daemon and no directory', async () => {
  const other = await startS3();
  after(() => other.stop());
  const directory = findDirectory(other.settings.endpoint);
  assert.equal(listDaemons(directory).length, 3);
  await other.stop();
  assert.deepEqual(listDaemons(directory), []);
  assert.equal(existsSync(directory), false);
  await other.stop();
});

test('a store ends when its program is killed', async () => {
  const script = `
    import { startS3 } from ${JSON.stringify(path.join(import.meta.dirname, 's3.ts'))};
    const { settings } = await startS3();
    process.stdout.write(settings.endpoint);
    process.stdin.resume();
  `;
  const program = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    // The script waits for the end of its input, so it ends together with this process.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [endpoint] = await once(program.stdout.setEncoding('utf8'), 'data');
  const directory = findDirectory(endpoint);
  program.kill('SIGKILL');
  await once(program, 'close');
  for (let turn = 0; turn < 300 && existsSync(directory); turn += 1) await sleep(20);
  assert.equal(existsSync(directory), false);
  assert.deepEqual(listDaemons(directory), []);
});

async function read(settings: S3Settings): Promise<string | undefined> {
  const own = toClient(settings);
  try {
    const { Body } = await own.send(new GetObjectCommand({ Bucket, Key: 'kept' }));
    return await Body?.transformToString();
  } finally {
    own.destroy();
  }
}

/** The directory of the store whose gateway listens there, taken from the daemons' command lines. */
function findDirectory(endpoint: string): string {
  const { host } = new URL(endpoint);
  const gateway = listCommands().find((words) => words.some((word) => word.includes(`endpoint=${host} `)));
  const config = gateway?.[gateway.indexOf('-c') + 1];
  assert.ok(config !== undefined);
  return path.dirname(config);
}

function listDaemons(directory: string): readonly string[] {
  const config = path.join(directory, 'ceph.conf');
  return listCommands().flatMap((words) => (words.includes(config) ? [words.join(' ')] : []));
}

/** The command lines of all processes; a zombie has none. */
function listCommands(): readonly (readonly string[])[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')] : [];
    } catch {
      return [];
    }
  });
}
