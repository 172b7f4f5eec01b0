// tier: default
// runs on: sqlite
// `holdall send` together with `holdall receive`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Connect } from '../../client/src/client.ts';
import type { TransferRecord } from '../../server/src/transfer/contract.ts';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { waitFor } from '../../server/test/support/tasks/tasks.ts';
import { lookUp, TRANSFERS } from '../../server/test/support/transfer/transfer.ts';
import { inFull } from '../../tools/testing/tiers.ts';
import { findInstalledConnect } from '../src/transfer/installed-connect.ts';
import { CommandLine, type Ran, type RunOptions } from './command-line.ts';

const WORDS = /same words: ((?:[a-z]{3,8} ){3}[a-z]{3,8})/;
const WRONG = '0000-0000-0000-0000';

const service = await startHoldall();
const sender = await CommandLine.create(service);
const receiver = await CommandLine.create(service);
const BYTES = randomBytes(2_300_001);
await mkdir(sender.at('trip/day 1'), { recursive: true });
await writeFile(sender.at('film.mov'), BYTES);
await writeFile(sender.at('empty'), '');
await writeFile(sender.at('trip/day 1/note.txt'), 'a note');

const installed = findInstalledConnect();
assert.ok(installed, 'node-datachannel is installed');

/** Starts `send`. Resolves with the printed code while the command is still running. */
async function send(
  words: readonly string[],
  options: RunOptions = {},
): Promise<{ readonly code: string; readonly end: Promise<Ran> }> {
  const printed = Promise.withResolvers<string>();
  const end = sender.run(['send', ...words], [], { ...options, onPrint: printed.resolve });
  const early = end.then(({ notes }) => Promise.reject(new Error(`There was no code: ${notes}`)));
  early.catch(() => undefined);
  return { code: await Promise.race([printed.promise, early]), end };
}

/** Waits until the receiver has joined the direct transfer with this code. */
async function untilJoined(code: string): Promise<void> {
  await waitFor(
    () => lookUp(service.anonymous, code),
    ({ data }) => data.status === 'JOINED',
  );
}

async function checkReceived(directory: string): Promise<void> {
  assert.deepEqual(await readFile(receiver.at(directory, 'film.mov')), BYTES);
  assert.equal((await readFile(receiver.at(directory, 'empty'))).length, 0);
  assert.equal(await readFile(receiver.at(directory, 'trip/day 1/note.txt'), 'utf8'), 'a note');
  assert.deepEqual((await readdir(receiver.at(directory))).sort(), ['empty', 'film.mov', 'trip']);
}

const EVERYTHING = [sender.at('film.mov'), sender.at('empty'), sender.at('trip')];

for (const encrypt of [[], ['--encrypt']]) {
  const kind = encrypt.length === 0 ? 'plain' : 'encrypted';

  test(`files and a directory are stored, ${kind}, and received`, async () => {
    const { code, end } = await send([...encrypt, ...EVERYTHING]);
    assert.equal((await end).code, 0);
    assert.match(code, encrypt.length === 0 ? /^[2-9A-Z]{6}$/ : /^[2-9A-Z]{6}#[0-9A-Z]{16}$/);
    const { data: session } = await lookUp(service.anonymous, code.slice(0, 6));
    assert.equal(session.encrypted, encrypt.length > 0);
    assert.equal(
      session.files.some(({ name }) => name === 'film.mov'),
      encrypt.length === 0,
    );
    const { code: status, notes } = await receiver.run(['receive', code, receiver.at(`stored-${kind}`)]);
    assert.equal(status, 0, notes);
    await checkReceived(`stored-${kind}`);
  });

  test(`files and a directory are sent directly, ${kind}`, kind === 'plain' ? {} : inFull, async () => {
    const { code, end } = await send(['--direct-only', ...encrypt, ...EVERYTHING]);
    const received = await receiver.run(['receive', code, receiver.at(`direct-${kind}`)]);
    assert.equal(received.code, 0, received.notes);
    const sent = await end;
    assert.equal(sent.code, 0, sent.notes);
    await checkReceived(`direct-${kind}`);
    const words = [sent, received].map(({ notes }) => WORDS.exec(notes)?.[1]);
    assert.equal(words[0], words[1]);
    assert.equal(words[0] === undefined, encrypt.length > 0);
    assert.equal((await lookUp(service.anonymous, code.slice(0, 6))).status, 404);
  });
}

describe('a secret', () => {
  test('is requested from the user, or comes from the environment', async () => {
    const { code, end } = await send(['-e', sender.at('empty')]);
    await end;
    const [pickupCode = '', secret = ''] = code.split('#');
    assert.equal((await receiver.run(['receive', pickupCode, receiver.at('asked')], [secret])).code, 0);
    receiver.env.HOLDALL_TRANSFER_SECRET = secret.toLowerCase();
    assert.equal((await receiver.run(['receive', pickupCode, receiver.at('asked')])).code, 0);
    delete receiver.env.HOLDALL_TRANSFER_SECRET;
    assert.deepEqual(await readdir(receiver.at('asked')), ['empty', 'empty (2)']);
  });

  test('is an error if it is wrong, and nothing is written', async () => {
    for (const mode of [[], ['--direct-only']]) {
      const stop = new AbortController();
      const { code, end } = await send([...mode, '-e', sender.at('film.mov')], { signal: stop.signal });
      const pickupCode = code.slice(0, 6);
      for (const secret of [WRONG, 'short', '']) {
        const ran = await receiver.run(['receive', pickupCode, receiver.at('wrong')], [secret]);
        assert.equal(ran.code, 1);
        assert.match(ran.notes, /Nothing was received\./);
      }
      await assert.rejects(readdir(receiver.at('wrong')));
      if (mode.length > 0) assert.equal((await lookUp(service.anonymous, pickupCode)).data.status, 'WAITING');
      stop.abort();
      await end;
    }
  });

  test('is rejected if the transfer is not encrypted', async () => {
    const { code, end } = await send([sender.at('empty')]);
    await end;
    const ran = await receiver.run(['receive', `${code}#${WRONG}`, receiver.at('taken')]);
    assert.match(ran.notes, /gave a secret, but the transfer is not encrypted/);
    await assert.rejects(readdir(receiver.at('taken')));
  });
});

test('a link needs no login, and the app password is sent to no other service', async () => {
  const { code, end } = await send(['-e', sender.at('empty')]);
  await end;
  const stranger = await CommandLine.create(service);
  await stranger.run(['logout']);
  const { code: status, notes } = await stranger.run([
    'receive',
    `${service.url}/t/${code}`,
    stranger.at('by-link'),
  ]);
  assert.equal(status, 0, notes);
  assert.equal((await stranger.run(['receive', code])).code, 3);
});

test('--json prints one object per event', async () => {
  const codes: Record<string, unknown>[] = [];
  const sending = Promise.withResolvers<void>();
  const end = sender.run(['send', '--direct', '--json', sender.at('empty')], [], {
    onPrint: (line) => {
      codes.push(JSON.parse(line));
      sending.resolve();
    },
  });
  await sending.promise;
  const { out } = await receiver.run(['receive', '--json', String(codes[0]?.link), receiver.at('json')]);
  await end;
  const types = (events: readonly Record<string, unknown>[]) => events.map(({ type }) => type);
  assert.deepEqual(
    types(codes).filter((type) => type !== 'peer'),
    ['code', 'connected'],
  );
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(types(events), ['connected', 'file']);
  assert.deepEqual(events[1], { type: 'file', path: receiver.at('json', 'empty'), size: 0 });
});

describe('names that are taken', () => {
  test('are numbered, skipped, replaced or reported, as --on-conflict says', async () => {
    const { code, end } = await send([sender.at('film.mov'), sender.at('empty')]);
    await end;
    const results: Record<string, readonly [number, readonly string[]]> = {};
    for (const rule of ['rename', 'skip', 'replace', 'fail']) {
      await mkdir(receiver.at(rule));
      await writeFile(receiver.at(rule, 'empty'), 'old');
      const ran = await receiver.run(['receive', code, receiver.at(rule), '--on-conflict', rule]);
      results[rule] = [ran.code, (await readdir(receiver.at(rule))).sort()];
    }
    assert.deepEqual(results, {
      rename: [0, ['empty', 'empty (2)', 'film.mov']],
      skip: [0, ['empty', 'film.mov']],
      replace: [0, ['empty', 'film.mov']],
      fail: [1, ['empty', 'film.mov']],
    });
    assert.equal(await readFile(receiver.at('skip', 'empty'), 'utf8'), 'old');
    assert.equal(await readFile(receiver.at('replace', 'empty'), 'utf8'), '');
  });

  test('cannot lead outside the chosen directory, even if a stranger made them', async () => {
    const files = [{ name: 'a', size: 1, relativePath: 'link/a' }];
    const body = { mode: 'OFFLINE', files };
    const created = await sender.person.ask<TransferRecord>('POST', TRANSFERS, { body });
    const [file] = created.files;
    const content = `${TRANSFERS}/${created.sessionId}/files/${file?.id}/content`;
    const headers = { 'content-type': 'application/octet-stream' };
    await sender.person.fetch('POST', content, { body: 'x', headers });
    const target = receiver.at('nowhere');
    await mkdir(target);
    await mkdir(receiver.at('elsewhere'));
    await symlink(receiver.at('elsewhere'), path.join(target, 'link'));
    const ran = await receiver.run(['receive', created.pickupCode, target]);
    assert.equal(ran.code, 1);
    assert.match(ran.notes, /link exists and is not a directory/);
    assert.deepEqual(await readdir(receiver.at('elsewhere')), []);
  });
});

describe('an interrupted transfer', () => {
  test('resumes with the next run if it is stored and encrypted', async () => {
    const { code, end } = await send(['-e', sender.at('film.mov')]);
    await end;
    const target = receiver.at('continued');
    const stop = new AbortController();
    let shown = 0;
    const onProgress = () => {
      shown += 1;
      if (shown === 3) stop.abort();
    };
    const first = await receiver.run(['receive', code, target], [], { signal: stop.signal, onProgress });
    assert.equal(first.code, 130);
    const left = (await readdir(target)).filter((name) => name.endsWith('.part'));
    assert.equal(left.length, 1);
    const begun = (await readFile(path.join(target, left[0] ?? ''))).length;
    assert.ok(begun > 0 && begun < BYTES.length, `${begun} bytes`);
    assert.equal((await receiver.run(['receive', code, target])).code, 0);
    assert.deepEqual(await readFile(path.join(target, 'film.mov')), BYTES);
    assert.deepEqual(await readdir(target), ['film.mov']);
  });

  test('reconnects and continues if it is direct', inFull, async () => {
    // Closes the first connection as soon as bytes flow.
    let cuts = 0;
    const cutting: Connect = (iceServers) => {
      const peer = installed(iceServers);
      const create = peer.createDataChannel.bind(peer);
      peer.createDataChannel = (label) => {
        const channel = create(label);
        const sendMessage = channel.send.bind(channel);
        channel.send = (message: never) => {
          sendMessage(message);
          if (typeof message === 'string' || cuts > 0) return;
          cuts += 1;
          peer.close();
        };
        return channel;
      };
      return peer;
    };
    const { code, end } = await send(['--direct-only', '-e', sender.at('film.mov')], {
      findConnect: () => cutting,
    });
    const received = await receiver.run(['receive', code, receiver.at('mended')]);
    assert.equal(received.code, 0, received.notes);
    assert.match((await end).notes, /The connection broke/);
    assert.equal(cuts, 1);
    assert.deepEqual(await readFile(receiver.at('mended', 'film.mov')), BYTES);
  });
});

test('a direct transfer stopped by the receiver leaves no files, and the sender is told', async () => {
  const stop = new AbortController();
  const { code, end } = await send(['--direct-only', sender.at('film.mov')]);
  const ran = await receiver.run(['receive', code, receiver.at('stopped')], [], {
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  assert.equal(ran.code, 130);
  assert.deepEqual(await readdir(receiver.at('stopped')).catch(() => []), []);
  assert.match((await end).notes, /The other side has cancelled/);
});

describe('a part file left behind by a killed command', inFull, () => {
  /** Returns the names of the part file, its tag and its lock. */
  async function interrupt(directory: string): Promise<readonly string[]> {
    const { code, end } = await send([sender.at('film.mov')]);
    await end;
    const stop = new AbortController();
    const ran = await receiver.run(['receive', code, receiver.at(directory)], [], {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    assert.equal(ran.code, 130);
    const left = await readdir(receiver.at(directory));
    const part = left.find((name) => name.endsWith('.part')) ?? '';
    const endedProcess = spawnSync(process.execPath, ['--version']).pid;
    await symlink(`${endedProcess} ${randomUUID()}`, receiver.at(directory, `${part}.lock`));
    return [...left, `${part}.lock`];
  }

  test('is replaced by a direct transfer of a file with the same name', async () => {
    assert.equal((await interrupt('replaced')).length, 3);
    const { code, end } = await send(['--direct-only', sender.at('film.mov')]);
    const received = await receiver.run(['receive', code, receiver.at('replaced')]);
    assert.equal(received.code, 0, received.notes);
    await end;
    assert.deepEqual(await readFile(receiver.at('replaced', 'film.mov')), BYTES);
    assert.deepEqual(await readdir(receiver.at('replaced')), ['film.mov']);
  });

  test('is replaced by a stored transfer if it has no tag', async () => {
    const [part = ''] = (await interrupt('stored anew')).filter((name) => name.endsWith('.part'));
    await writeFile(receiver.at('stored anew', part), 'of a direct transfer');
    await rm(receiver.at('stored anew', `${part}.etag`));
    const { code, end } = await send([sender.at('film.mov')]);
    await end;
    assert.equal((await receiver.run(['receive', code, receiver.at('stored anew')])).code, 0);
    assert.deepEqual(await readFile(receiver.at('stored anew', 'film.mov')), BYTES);
    assert.deepEqual(await readdir(receiver.at('stored anew')), ['film.mov']);
  });

  test('is not touched while another command writes to it', async () => {
    const [part = ''] = (await interrupt('locked')).filter((name) => name.endsWith('.part'));
    const lock = receiver.at('locked', `${part}.lock`);
    await rm(lock);
    await writeFile(receiver.at('locked', part), 'of the other command');
    await symlink(`${process.ppid} ${randomUUID()}`, lock);
    const stop = new AbortController();
    const waiting = await send(['--direct-only', sender.at('film.mov')], { signal: stop.signal });
    for (const rule of ['fail', 'replace']) {
      const words = ['receive', waiting.code, receiver.at('locked'), '--on-conflict', rule];
      const refused = await receiver.run(words);
      assert.equal(refused.code, 1);
      assert.match(refused.notes, /film\.mov: Another command is writing this file/);
    }
    stop.abort();
    await waiting.end;
    const renamed = await send(['--direct-only', sender.at('film.mov')]);
    assert.equal((await receiver.run(['receive', renamed.code, receiver.at('locked')])).code, 0);
    await renamed.end;
    assert.deepEqual(await readFile(receiver.at('locked', 'film (2).mov')), BYTES);
    assert.equal(await readFile(receiver.at('locked', part), 'utf8'), 'of the other command');
  });
});

describe('the other side', () => {
  /** A connection that never opens. */
  const nowhere: Connect = (iceServers) => {
    const peer = installed(iceServers);
    peer.addIceCandidate = async () => undefined;
    peer.setRemoteDescription = async () => undefined;
    return peer;
  };

  for (const encrypt of [[], ['-e']]) {
    test(
      `gets the files from the service if there is no direct way ${encrypt.join('')}`,
      inFull,
      async () => {
        const { code, end } = await send(
          ['--direct', ...encrypt, sender.at('film.mov'), sender.at('empty')],
          {
            findConnect: () => nowhere,
          },
        );
        const received = await receiver.run(['receive', code, receiver.at(`followed${encrypt.join('')}`)]);
        assert.equal(received.code, 0, received.notes);
        assert.match(received.notes, /stores the files on the service/);
        assert.equal((await end).code, 0);
        assert.deepEqual(await readFile(receiver.at(`followed${encrypt.join('')}`, 'film.mov')), BYTES);
      },
    );
  }

  test('finds the files stored under another code if it comes too late', async () => {
    const { code, end } = await send(['--direct', '-e', sender.at('film.mov')]);
    const { data: session } = await lookUp(service.anonymous, code.slice(0, 6));
    // To the command, this looks as if the code had expired.
    await sender.person.ask('DELETE', `${TRANSFERS}/${session.sessionId}`);
    const { code: status, out, notes } = await end;
    assert.equal(status, 0, notes);
    const [first, second = '', ...more] = out.trim().split('\n');
    assert.deepEqual([first, more], [code, []]);
    assert.notEqual(second.slice(0, 6), code.slice(0, 6));
    assert.equal(second.slice(6), code.slice(6), 'the secret is the same');
    assert.equal((await receiver.run(['receive', second, receiver.at('late')])).code, 0);
    assert.deepEqual(await readFile(receiver.at('late', 'film.mov')), BYTES);
  });

  test('learns that the sender has stopped, and the transfer session ends', async () => {
    const stop = new AbortController();
    const { code, end } = await send(['--direct', sender.at('film.mov')], {
      signal: stop.signal,
      findConnect: () => nowhere,
    });
    const receiving = receiver.run(['receive', code, receiver.at('left')], [], {
      findConnect: () => nowhere,
    });
    await untilJoined(code);
    stop.abort();
    assert.equal((await end).code, 130);
    assert.equal((await lookUp(service.anonymous, code)).status, 404);
    const received = await receiving;
    assert.equal(received.code, 1);
    assert.match(received.notes, /not there any more/);
  });

  test('learns that the receiver has stopped', async () => {
    const { code, end } = await send(['--direct-only', sender.at('film.mov')], {
      findConnect: () => nowhere,
    });
    const stop = new AbortController();
    const receiving = receiver.run(['receive', code, receiver.at('gone')], [], {
      signal: stop.signal,
      findConnect: () => nowhere,
    });
    await untilJoined(code);
    stop.abort();
    assert.equal((await receiving).code, 130);
    const sent = await end;
    assert.equal(sent.code, 1);
    assert.match(sent.notes, /has cancelled/);
  });

  test('cannot be replaced by a second receiver', async () => {
    const { code, end } = await send(['--direct-only', sender.at('film.mov')], {
      findConnect: () => nowhere,
    });
    const stop = new AbortController();
    const first = receiver.run(['receive', code, receiver.at('first')], [], { signal: stop.signal });
    await untilJoined(code);
    const second = await sender.run(['receive', code, sender.at('second')]);
    assert.equal(second.code, 1);
    assert.match(second.notes, /Somebody else is receiving/);
    stop.abort();
    await Promise.all([first, end]);
  });
});

describe('without the package for direct connections', () => {
  const findConnect = () => undefined;

  test('send --direct stores the files, and says so', async () => {
    const ran = await sender.run(['send', '--direct', sender.at('empty')], [], { findConnect });
    assert.equal(ran.code, 0);
    assert.match(ran.notes, /"node-datachannel" is not installed .* are stored instead/);
    assert.match(ran.out, /^[2-9A-Z]{6}\n$/);
    const only = await sender.run(['send', '--direct-only', sender.at('empty')], [], { findConnect });
    assert.deepEqual([only.code, only.out], [1, '']);
  });

  test('receive does not join a direct transfer, and says what to do', async () => {
    const stop = new AbortController();
    const { code, end } = await send(['--direct-only', sender.at('empty')], { signal: stop.signal });
    const ran = await receiver.run(['receive', code], [], { findConnect });
    assert.equal(ran.code, 1);
    assert.match(ran.notes, /node-datachannel.*browser/s);
    assert.equal((await lookUp(service.anonymous, code)).data.status, 'WAITING');
    stop.abort();
    await end;
  });
});
