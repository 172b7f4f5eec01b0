// tier: default
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { toMessageStream } from '../../src/events/message-writer.ts';
import { Subscription } from '../../src/events/subscription.ts';
import { EventStream } from '../../src/http/event-stream.ts';

/** Fails after several waits, because an endless loop of waits would never let a timer of the test run. */
class BoundedStream extends EventStream {
  #waits = 0;

  override async drained(): Promise<void> {
    this.#waits += 1;
    assert.ok(this.#waits < 10, 'The writer keeps waiting.');
    await super.drained();
  }
}

for (const [how, end] of [
  ['was ended', (stream: EventStream) => stream.end()],
  ['lost its client', (_: EventStream, response: ServerResponse) => response.destroy()],
] as const) {
  test(`a writer stops sending to a full stream that ${how}`, async () => {
    // The response has no connection that would read its bytes.
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const stream = new BoundedStream(response);
    stream.write(Buffer.alloc(1_024 * 1_024));
    assert.ok(stream.isFull);
    const filter = { driveId: 1, path: '/', clientId: null, accountId: 1, isShared: false };
    const sent = toMessageStream(new Subscription(stream, filter, 7)).send('DEVICES', '{}');
    const before = response.writableLength;
    end(stream, response);
    // A connection would report its end, but the response has none.
    response.emit('close');
    await sent;
    assert.deepEqual([stream.isOpen, stream.isFull, response.writableLength], [false, true, before]);
  });
}
