import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequest } from './requests.ts';

const EVENTS = '/api/v2/files/events';
const PATIENCE_MS = 30_000;
const AT_ONCE = 50;

/** The directory whose events are timed; each created directory has a number as its name. */
export const TIMED = '/timed';

/** Clients that follow event streams. They record how long each event took to reach them. */
export class EventListeners {
  /** In milliseconds, one for each event at each measuring client. */
  readonly delays: number[] = [];
  readonly #sentAt: number[] = [];
  readonly #sockets: Socket[] = [];

  /**
   * @param looking how many of them parse what they receive; parsing all of it would cost the client too much
   * time
   */
  static async open(
    port: number,
    { count, looking, token }: { count: number; looking: number; token: string | undefined },
  ): Promise<EventListeners> {
    const listeners = new EventListeners();
    try {
      for (let from = 0; from < count; from += AT_ONCE) {
        await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) =>
            listeners.#add(port, token, from + index < looking),
          ),
        );
      }
      return listeners;
    } catch (error) {
      listeners.close();
      throw error;
    }
  }

  /** Must be called just before the request that causes the event. */
  expect(number: number): void {
    this.#sentAt[number] = performance.now();
  }

  /** Waits until that many delays are recorded. */
  async received(count: number): Promise<void> {
    for (const start = performance.now(); this.delays.length < count; await sleep(1)) {
      if (performance.now() - start > PATIENCE_MS) {
        throw new Error(`only ${this.delays.length} of ${count} events have come`);
      }
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #add(port: number, token: string | undefined, isLooking: boolean): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1' });
    this.#sockets.push(socket);
    await once(socket, 'connect');
    socket.write(getRequest(EVENTS, token));
    for (let head = ''; !head.includes('event: READY'); ) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      head += chunk.toString();
      if (!/^HTTP\/1\.1 200/.test(head)) throw new Error(`the stream was answered ${head}`);
    }
    if (!isLooking) return void socket.resume();
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const frames = (rest + text).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) this.#note(frame);
    });
  }

  #note(frame: string): void {
    const number = new RegExp(`"toPath":"${TIMED}/(\\d+)"`).exec(frame)?.[1];
    const sentAt = this.#sentAt[Number(number ?? -1)];
    if (sentAt !== undefined) this.delays.push(performance.now() - sentAt);
  }
}
