// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { startHoldall } from '../support/app/holdall.ts';

for (const [what, line, headers, status] of [
  ['without a body is answered', 'GET /api/v2/site/ping', '', 200],
  ['with a short body is answered', 'POST /api/auth/logout', 'content-length: 2\r\n', 401],
  ['with a long body is rejected', 'PUT /api/v2/files/1/content', 'content-length: 5000000\r\n', 503],
  ['with a body of unknown length is rejected', 'PUT /dav/x', 'transfer-encoding: chunked\r\n', 503],
] as const) {
  test(`a request ${what} when it arrives during a shutdown, and the connection ends`, async () => {
    const holdall = await startHoldall();
    const { hostname, port, host } = new URL(holdall.url);
    const { server } = holdall.app.server;
    const accepted = once(server, 'connection');
    const socket = connect(Number(port), hostname);
    const received = text(socket);
    const [other]: Socket[] = await accepted;
    // Once the beginning has arrived, the connection is not idle when the shutdown begins.
    socket.write(`${line} HTTP/1.1\r\n`);
    await waitUntil('the beginning has arrived', () => (other?.bytesRead ?? 0) > 0);
    const closed = holdall.app.close();
    await waitUntil('the service takes no connections', () => !server.listening);
    const body = status === 401 ? '{}' : '';
    socket.write(`host: ${host}\r\ncontent-type: application/json\r\n${headers}\r\n${body}`);
    // The service still reads the rest of a rejected upload for a moment.
    if (status === 503) socket.end();
    const answer = await received;
    assert.equal(answer.slice(0, 12), `HTTP/1.1 ${status}`, answer);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    await closed;
  });
}
