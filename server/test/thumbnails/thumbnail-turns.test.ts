// tier: default
// runs on: sqlite
// The order in which requests for thumbnails wait. The decoding processes are paused meanwhile, so no test
// depends on their speed.
import assert from 'node:assert/strict';
import { afterEach, before, describe, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import sharp from 'sharp';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';

const PERMITS = 2;

// No background tasks, because they also read pictures.
const holdall = await startHoldall({ env: { HOLDALL_WORKER_CONCURRENCY: '0' } });
const { thumbnails } = holdall.app;
const { decoder } = thumbnails;

let alice: Person;
let pictures = 0;

before(async () => {
  alice = await holdall.register('alice');
});
afterEach(() => signalAll('SIGCONT'));

/** Counts what is decoded. */
const decodings = {
  begun: 0,
  running: 0,
  most: 0,
  /** The lengths of the pictures, in the order in which their decoding began. */
  lengths: [] as number[],
  reset() {
    Object.assign(this, { begun: 0, most: this.running, lengths: [] });
  },
};
const decode = decoder.decode.bind(decoder);
mock.method(decoder, 'decode', async (...given: Parameters<typeof decode>) => {
  decodings.begun += 1;
  decodings.lengths.push(given[0].length);
  decodings.running += 1;
  decodings.most = Math.max(decodings.most, decodings.running);
  try {
    return await decode(...given);
  } finally {
    decodings.running -= 1;
  }
});

function signalAll(signal: NodeJS.Signals): void {
  for (const id of decoder.processIds) process.kill(id, signal);
}

/** New pictures of Alice. No two are equal. */
function upload(count: number, width = 320): Promise<readonly EntryRecord[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      pictures += 1;
      const background = `#${String(pictures).padStart(6, '0')}`;
      const picture = sharp({ create: { width, height: 240, channels: 3, background } });
      return await alice.upload(`/turns/${pictures}.jpg`, Buffer.from(await picture.jpeg().toBuffer()));
    }),
  );
}

const addressOf = ({ id }: EntryRecord) => `/api/v2/files/${id}/thumbnail?size=256`;

async function receive(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  assert.equal(response.status, 200, response.ok ? '' : await response.text());
  await response.arrayBuffer();
}

async function share({ id: fileId }: EntryRecord): Promise<string> {
  const { token } = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId } });
  return `/api/v2/shares/${token}/thumbnail?size=256`;
}

/** Starts both decoding processes and pauses them. */
async function pauseDecoding(): Promise<void> {
  while (decoder.processCount < PERMITS) {
    const started = await upload(PERMITS);
    await Promise.all(started.map((picture) => receive(alice.fetch('GET', addressOf(picture)))));
  }
  signalAll('SIGSTOP');
}

async function waitForQueue(length: number): Promise<void> {
  while (thumbnails.waitingCount !== length) await nextTurn();
}

async function waitForDecodings(count: number): Promise<void> {
  while (decodings.running !== count) await nextTurn();
}

describe('a thumbnail', () => {
  test('that one member queued last is decoded early if another member also requests it', async () => {
    const [others, [last = assert.fail()]] = [await upload(11), await upload(1, 640)];
    const files = [...others, last];
    const address = await share(last);
    const bob = await holdall.register('bob');
    await pauseDecoding();
    decodings.reset();
    const all: Promise<void>[] = [];
    for (const file of files) {
      all.push(receive(alice.fetch('GET', addressOf(file))));
      await waitForQueue(Math.max(0, all.length - PERMITS));
    }
    const own = receive(bob.fetch('GET', address));
    await waitForQueue(files.length - PERMITS + 1);
    signalAll('SIGCONT');
    await own;
    await Promise.all(all);
    const turn = decodings.lengths.indexOf(last.size ?? assert.fail());
    // Only the pictures that were already being decoded came before.
    assert.ok(turn >= PERMITS && turn <= PERMITS + 1, `${turn} of ${files.length} came before`);
    assert.equal(thumbnails.waitingCount, 0);
  });

  test('that ten members request at the same time is decoded once', async () => {
    const [wanted, ...others] = await upload(1 + PERMITS);
    const address = await share(wanted ?? assert.fail());
    const members: Person[] = [];
    while (members.length < 10) members.push(await holdall.register('member'));
    await pauseDecoding();
    decodings.reset();
    const occupied = others.map((file) => receive(alice.fetch('GET', addressOf(file))));
    await waitForDecodings(PERMITS);
    const all = members.map((member) => receive(member.fetch('GET', address)));
    await waitForQueue(members.length);
    signalAll('SIGCONT');
    await Promise.all([...occupied, ...all]);
    assert.equal(decodings.begun, PERMITS + 1);
  });
});

test('a member who disconnects leaves the queue, but a running decoding counts until it ends', async () => {
  const files = await upload(PERMITS + 3);
  await pauseDecoding();
  decodings.reset();
  const leaving = new AbortController();
  const { signal } = leaving;
  const ask = (file: EntryRecord, options = {}) => alice.fetch('GET', addressOf(file), options);
  const left = files.slice(0, PERMITS).map((file) => assert.rejects(ask(file, { signal })));
  await waitForDecodings(PERMITS);
  const [impatient, ...patient] = files.slice(PERMITS);
  left.push(assert.rejects(ask(impatient ?? assert.fail(), { signal })));
  const all = patient.map((file) => receive(ask(file)));
  await waitForQueue(3);
  leaving.abort();
  await Promise.all(left);
  await waitForQueue(2);
  assert.deepEqual([decodings.begun, decodings.running], [PERMITS, PERMITS]);
  signalAll('SIGCONT');
  await Promise.all(all);
  assert.deepEqual([decodings.begun, decodings.most], [PERMITS + 2, PERMITS]);
});
