import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_MESSAGE_TYPES, type AccountMessageType } from '../../../src/events/account-messages.ts';
import type { FileEventRecord } from '../../../src/events/contract.ts';
import type { Person } from '../app/person.ts';

/** Messages that are not about the drive. */
const ANNOUNCEMENTS: readonly string[] = ACCOUNT_MESSAGE_TYPES;

export const EVENTS = '/api/v2/files/events';
/**
 * Generous, because a busy machine may take many times as long as an idle one. Only failures last this long.
 */
const TIMEOUT_MS = 120_000;

/** One message of a stream, as a browser's `EventSource` would deliver it. */
export interface StreamMessage {
  readonly id: number;
  readonly event: string;
  /** `READY` and `RESYNC` have only some of these members. */
  readonly data: Omit<FileEventRecord, 'id'> & { path?: string; lastEventId?: number };
}

export interface StreamOptions {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client that reads an event stream. */
export class EventReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly messages: StreamMessage[] = [];
  comments = 0;
  isOver = false;
  readonly #response: IncomingMessage;
  #taken = 0;
  #rest = '';

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#take(chunk));
    response.on('error', () => {});
    response.on('close', () => {
      this.isOver = true;
    });
  }

  /** Opens a stream and waits for its first message, which must be READY. */
  static async open(person: Person, options: StreamOptions = {}): Promise<EventReader> {
    const reader = new EventReader(await requestStream(person, options));
    assert.equal(reader.status, 200);
    await reader.until(() => reader.messages.length > 0);
    assert.equal(reader.messages[0]?.event, 'READY');
    return reader;
  }

  /** Waits for the next message. The first call returns READY. */
  async next(): Promise<StreamMessage> {
    await this.until(() => this.messages.length > this.#taken);
    const message = this.messages[this.#taken];
    assert.ok(message);
    this.#taken += 1;
    return message;
  }

  /**
   * Waits for `count` messages about the drive, and returns all of them. Leaves out READY and announcements: a
   * stream also gets these when its instance has lost the connection to the database, even for a moment.
   */
  async events(count: number): Promise<readonly StreamMessage[]> {
    const ofDrive = () => this.messages.slice(1).filter(({ event }) => !ANNOUNCEMENTS.includes(event));
    await this.until(() => ofDrive().length >= count);
    return ofDrive();
  }

  /** Waits for `count` announcements of that type. */
  async notices(count: number, type: AccountMessageType = 'DRIVES_CHANGED'): Promise<void> {
    await this.until(() => this.messages.filter(({ event }) => event === type).length >= count);
  }

  async until(condition: () => boolean): Promise<void> {
    for (const start = performance.now(); !condition(); await sleep(2)) {
      assert.ok(
        performance.now() - start < TIMEOUT_MS,
        `timed out after ${JSON.stringify(this.messages.at(-1))}`,
      );
      assert.ok(!this.isOver, `the stream ended after ${JSON.stringify(this.messages.at(-1))}`);
    }
  }

  /** Resolves when the service has ended the stream. */
  async ended(): Promise<void> {
    for (const start = performance.now(); !this.isOver; await sleep(5)) {
      assert.ok(performance.now() - start < TIMEOUT_MS, 'the stream is still open');
    }
  }

  /** Stops reading until {@link resume} is called. */
  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  close(): void {
    this.isOver = true;
    this.#response.destroy();
  }

  #take(chunk: string): void {
    const frames = (this.#rest + chunk).split('\n\n');
    this.#rest = frames.pop() ?? '';
    for (const frame of frames) {
      if (frame.startsWith(':')) this.comments += 1;
      else this.messages.push(toMessage(frame));
    }
  }
}

/** Requests a stream that must be rejected. Returns its status and code. */
export async function refusedStream(
  person: Person,
  options: StreamOptions = {},
): Promise<readonly [number, number]> {
  const response = await requestStream(person, options);
  const { code } = JSON.parse(await text(response)) as { code: number };
  return [response.statusCode ?? 0, code];
}

async function requestStream(
  person: Person,
  { query = {}, headers = {} }: StreamOptions,
): Promise<IncomingMessage> {
  const url = new URL(EVENTS, person.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const outgoing = request(url, {
    agent: false,
    headers: { ...(person.login ? { authorization: `Bearer ${person.token}` } : {}), ...headers },
  });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

function toMessage(frame: string): StreamMessage {
  const fields = new Map(
    frame.split('\n').map((line): [string, string] => {
      const [name = '', value = ''] = line.split(/: (.*)/s);
      return [name, value];
    }),
  );
  assert.deepEqual([...fields.keys()], ['id', 'event', 'data'], frame);
  return {
    id: Number(fields.get('id')),
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? ''),
  };
}
