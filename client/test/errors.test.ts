// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import {
  ConflictError,
  CursorTooOldError,
  ERROR_KINDS,
  ExpiredError,
  ForbiddenError,
  Holdall,
  HoldallError,
  InvalidError,
  NotFoundError,
  OverLimitError,
  PreconditionError,
  ProtocolError,
  RejectedError,
  type ServiceErrorKind,
  TimeoutError,
  TooManyError,
  UnauthenticatedError,
  UnreachableError,
  UnsupportedError,
} from '../src/client.ts';
import { logInNewUser } from './logged-in.ts';

const service = await startHoldall();
const { holdall } = await logInNewUser(service);

describe('an error of the service has the class of its kind:', () => {
  const cases: Readonly<Record<string, readonly [() => Promise<unknown>, typeof HoldallError | object]>> = {
    'a malformed path': [() => holdall.drive.makeDirectory('/a/../b'), InvalidError],
    'a wrong password': [
      () => new Holdall({ url: service.url }).auth.logIn('nobody', 'wrong'),
      UnauthenticatedError,
    ],
    'no login': [() => new Holdall({ url: service.url }).account.profile(), UnauthenticatedError],
    'administration by a user': [() => holdall.admin.summary(), ForbiddenError],
    'an unknown file': [() => holdall.drive.get(999_999_999), NotFoundError],
    'a taken name': [
      async () => {
        await holdall.drive.makeDirectory('/twice');
        await holdall.drive.makeDirectory('/twice');
      },
      ConflictError,
    ],
    'a directory moved into itself': [
      async () => {
        const directory = await holdall.drive.makeDirectory('/self');
        await holdall.drive.move(directory.id, '/self');
      },
      RejectedError,
    ],
    'an outdated tag': [
      async () => {
        const file = await holdall.uploads.put('one', { filename: 'tagged.txt' });
        await holdall.versions.replace(file.id, 'two', { etag: '"another"' });
      },
      PreconditionError,
    ],
    'a share past its time': [
      async () => {
        const file = await holdall.uploads.put('shared', { filename: 'shared.txt' });
        const expiresAt = new Date(service.clock.now() + 60_000).toISOString();
        const { token } = await holdall.shares.create({ fileId: file.id, expiresAt });
        service.clock.advance(120_000);
        await holdall.shares.visit(token).open();
      },
      ExpiredError,
    ],
    'an unknown cursor': [() => holdall.events.changesAfter(987_654_321), CursorTooOldError],
    'more bytes than the quota': [
      () => holdall.uploads.createSession({ filename: 'huge', size: Number.MAX_SAFE_INTEGER }),
      OverLimitError,
    ],
    'a thumbnail of text': [
      async () => {
        const file = await holdall.uploads.put('no picture', { filename: 'text.txt' });
        await holdall.downloads.thumbnail(file, 256);
      },
      UnsupportedError,
    ],
  };
  for (const [name, [call, expected]] of Object.entries(cases)) {
    test(name, async () => {
      const error = await call().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof HoldallError, String(error));
      assert.equal(error.constructor, expected);
      assert.equal(error.name, (expected as typeof HoldallError).name);
      assert.ok(error.status >= 400 && error.code > 0 && error.message !== '');
      assert.notEqual(error.requestId, undefined);
    });
  }

  test('too many wrong passwords, with the time to wait', async () => {
    const guessing = new Holdall({ url: service.url, retries: 0 });
    const { username } = await service.register();
    let error: unknown;
    for (let guess = 0; guess < 40 && !(error instanceof TooManyError); guess += 1) {
      error = await guessing.auth.logIn(username, 'a wrong guess').catch((reason: unknown) => reason);
    }
    assert.ok(error instanceof TooManyError);
    assert.ok((error.retryAfterSeconds ?? 0) >= 1);
  });
});

describe('every kind of the table', () => {
  for (const [kind, row] of Object.entries(ERROR_KINDS)) {
    test(`${kind} has its class in both API families`, async () => {
      for (const code of [row.legacy, row.v2]) {
        const { url } = await answerInTurn([envelope(row.status, code, null, { 'retry-after': '7' })]);
        const error = await new Holdall({ url, retries: 0 }).site.ping().catch((reason: unknown) => reason);
        assert.ok(error instanceof HoldallError);
        // The newer API family does not distinguish these two.
        const isAmbiguous = kind === 'rejected' && code === row.v2;
        const expected = (isAmbiguous ? 'invalid' : kind) as ServiceErrorKind;
        assert.equal(error.kind, expected);
        const className = expected.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
        assert.equal(error.name, `${className.join('')}Error`);
        const { status, message, requestId, retryAfterSeconds } = error;
        assert.deepEqual(
          { status, message, requestId, retryAfterSeconds, code: error.code },
          {
            status: row.status,
            message: `message of ${code}`,
            requestId: 'request-7',
            retryAfterSeconds: 7,
            code,
          },
        );
      }
    });
  }

  test('a missing service is reported as unreachable', async () => {
    const { url } = await answerInTurn([(request) => request.socket.destroy()]);
    await assert.rejects(new Holdall({ url, retries: 0 }).site.ping(), UnreachableError);
  });

  test('a page of another program is not accepted as a response of Holdall', async () => {
    const { url } = await answerInTurn([(_request, response) => response.end('<html>It works!</html>')]);
    await assert.rejects(new Holdall({ url }).site.ping(), ProtocolError);
  });

  test('an error page of a proxy has the kind of its status', async () => {
    const { url } = await answerInTurn([
      (_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'),
    ]);
    const error = await new Holdall({ url, retries: 0 }).site.ping().catch((reason: unknown) => reason);
    assert.ok(error instanceof HoldallError);
    assert.deepEqual([error.kind, error.status, error.code], ['unavailable', 502, 0]);
  });
});

describe('a 404 page from a proxy', () => {
  const answer = (_request: unknown, response: ServerResponse) =>
    void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');

  test('does not mean that a file is gone', async () => {
    const { url } = await answerInTurn([answer]);
    const error = await new Holdall({ url }).drive.get(1).catch((reason: unknown) => reason);
    assert.ok(error instanceof ProtocolError);
    assert.equal(error.status, 404);
  });

  test('is mistaken for a response of the service if that has no body', async () => {
    const { url } = await answerInTurn([answer]);
    await assert.rejects(new Holdall({ url }).downloads.head(1), NotFoundError);
  });
});

describe('a call', () => {
  test('is repeated after a temporary error if it only reads', async () => {
    const data = { status: 'ok', apiVersion: 'v2' };
    const busy = envelope(503, 2503, null, { 'retry-after': '0' });
    const { url, requests } = await answerInTurn([
      busy,
      (request) => request.socket.destroy(),
      envelope(200, 0, data),
    ]);
    assert.deepEqual(await new Holdall({ url }).site.ping(), data);
    assert.equal(requests.length, 3);
  });

  test('that changes something is repeated only if it was rejected before anything was done', async () => {
    const many = envelope(429, 1429, null, { 'retry-after': '0' });
    const busy = envelope(503, 1503, null, { 'retry-after': '0' });
    const { url, requests } = await answerInTurn([many, busy]);
    const error = await new Holdall({ url }).drive.makeDirectory('/a').catch((reason: unknown) => reason);
    assert.ok(error instanceof HoldallError && error.kind === 'unavailable');
    assert.deepEqual(requests, ['POST /api/files/mkdir', 'POST /api/files/mkdir']);
  });

  test('is not repeated when the service asks for a long wait', async () => {
    const { url, requests } = await answerInTurn([envelope(429, 2429, null, { 'retry-after': '900' })]);
    await assert.rejects(new Holdall({ url }).site.ping(), TooManyError);
    assert.equal(requests.length, 1);
  });

  test('ends at its time limit', async () => {
    const { url } = await answerInTurn([() => {}]);
    await assert.rejects(new Holdall({ url, timeoutMs: 20, retries: 0 }).site.ping(), TimeoutError);
  });

  test('also ends at its time limit in the middle of the response', async () => {
    const { url } = await answerInTurn([
      (_request, response) => void response.writeHead(200).write('{"code":'),
    ]);
    await assert.rejects(new Holdall({ url, timeoutMs: 50, retries: 0 }).site.ping(), TimeoutError);
  });

  test('ends with the reason of its signal, both immediately and while it waits', async (t) => {
    // With mocked timers, no wait ends by itself.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { url, requests } = await answerInTurn([envelope(503, 2503, null, { 'retry-after': '20' })]);
    const client = new Holdall({ url });
    const reason = new Error('left');
    await assert.rejects(client.site.ping({ signal: AbortSignal.abort(reason) }), reason);
    assert.equal(requests.length, 0);
    const controller = new AbortController();
    const call = client.site.ping({ signal: controller.signal });
    const abort = () => (requests.length === 1 ? controller.abort(reason) : setImmediate(abort));
    setImmediate(abort);
    await assert.rejects(call, reason);
    assert.equal(requests.length, 1);
  });
});

/** Answers one request. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server on loopback that gives the answers in turn, and then repeats the last one. */
async function answerInTurn(
  answers: readonly [Answer, ...Answer[]],
): Promise<{ readonly url: string; readonly requests: readonly string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const [first] = answers;
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? first;
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  // The address of a TCP server that listens is an object with a port.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** An envelope with this status and code. */
function envelope(
  status: number,
  code: number,
  data: unknown = null,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return (_request, response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': 'request-7',
      ...headers,
    });
    response.end(JSON.stringify({ code, msg: `message of ${code}`, data }));
  };
}
