// tier: default
// needs: nginx
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Nginx } from '../../../../tools/programs/nginx.ts';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { listBuffered, startExampleNginx } from '../../support/app/behind-nginx.ts';

describe('a response behind nginx', () => {
  test('that is sent in pieces arrives in pieces', async () => {
    const front = await startInFrontOf((answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
    });
    const response = await fetch(front.url, { signal: AbortSignal.timeout(60_000) });
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    assert.equal(Buffer.from(value ?? []).toString(), 'data: first\n\n');
    await reader?.cancel();
  });

  test('that the client does not read is not buffered in a file by nginx', inFull, async () => {
    const piece = Buffer.alloc(1_000_000);
    const front = await startInFrontOf((answer) => {
      const fill = () => {
        while (answer.write(piece));
      };
      answer.on('drain', fill);
      fill();
    });
    const outgoing = request(front.url).on('error', () => {});
    outgoing.end();
    const [answer]: IncomingMessage[] = await once(outgoing, 'response');
    await sleep(500);
    assert.deepEqual(await listBuffered(front), []);
    answer?.destroy();
  });

  /** Starts nginx with the example configuration in front of a server with the given handler. */
  async function startInFrontOf(handle: (answer: ServerResponse) => void): Promise<Nginx> {
    const service = createServer((_incoming, answer) => handle(answer)).listen(0, '127.0.0.1');
    after(() => {
      service.close();
      service.closeAllConnections();
    });
    await once(service, 'listening');
    const { port: upstreamPort } = service.address() as AddressInfo;
    return await startExampleNginx({ upstreamPorts: [upstreamPort], dataDir: tmpdir() });
  }
});
