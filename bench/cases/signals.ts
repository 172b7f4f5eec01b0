import { HttpConnection } from '../load/http-connection.ts';
import { requireStatus } from '../load/load.ts';
import { getRequest, jsonRequest } from '../load/requests.ts';
import { type Case, type Figure, repeat } from '../report/figure.ts';
import { median } from '../report/median.ts';
import { readMemoryBytes } from '../report/memory.ts';
import { readMember, readNumber, readText, type Service } from '../service.ts';
import type { ServiceBackends, Stage } from '../stage.ts';

const SESSIONS = '/api/transfer/sessions';
const MEGABYTE = 1_000_000;
/** The approximate size of a browser's offer. */
const OFFER = { type: 'offer', payload: { sdp: 'v=0 '.repeat(500) } };

/**
 * Quick transfers between two browsers: many waiting receivers, and the latency of a signal to one of them.
 */
export const signals: Case = {
  name: 'signals',
  measure: (stage) => measure(stage, ''),
};

export const signalsOnPostgres: Case = {
  name: 'signals-postgres',
  measure: (stage) => stage.withPostgres((databaseUrl) => measure(stage, ', PostgreSQL', { databaseUrl })),
};

function measure(stage: Stage, suffix: string, backends: ServiceBackends = {}): Promise<readonly Figure[]> {
  return stage.withService(async (service) => {
    const waiting: WaitingPeer[] = [];
    for (let index = 0; index < stage.scale.liveTransfers; index += 1) {
      waiting.push(await WaitingPeer.join(service));
    }
    try {
      const waitingMemory = readMemoryBytes(service.pid, 'VmRSS') / MEGABYTE;
      const runs = await repeat(stage.scale.runs, async () => {
        const delays: number[] = [];
        for (const peer of waiting) delays.push(await peer.sendSignal(service));
        return median(delays);
      });
      const memory = readMemoryBytes(service.pid, 'VmHWM') / MEGABYTE;
      return [
        { name: `signal to one of 1,000 who wait${suffix}`, unit: 'ms', runs },
        { name: `memory while 1,000 wait for signals${suffix}`, unit: 'MB', runs: [waitingMemory] },
        { name: `peak memory, signals to all of them${suffix}`, unit: 'MB', runs: [memory] },
      ];
    } finally {
      for (const peer of waiting) peer.leave();
    }
  }, backends);
}

/** The receiver of a session, which always has a long poll open. */
class WaitingPeer {
  readonly #path: string;
  readonly #connection: HttpConnection;
  /** When the next signal arrives, on the clock of the measurement. */
  #arrival = expectOne();
  #isGone = false;

  private constructor(path: string, connection: HttpConnection) {
    this.#path = path;
    this.#connection = connection;
    this.#wait().catch((error) => this.#arrival.reject(error));
  }

  static async join(service: Service): Promise<WaitingPeer> {
    const announced = { mode: 'ONLINE', files: [{ name: 'film.mkv', size: 5_000_000_000 }] };
    const path = `${SESSIONS}/${readText(await service.call(jsonRequest('POST', SESSIONS, announced)), 'sessionId')}`;
    await service.call(jsonRequest('POST', `${path}/join`, {}));
    return new WaitingPeer(path, await HttpConnection.open(service.port));
  }

  /** Sends the receiver a signal; returns the milliseconds until its arrival. */
  async sendSignal(service: Service): Promise<number> {
    const arrived = this.#arrival.promise;
    const start = performance.now();
    await service.call(jsonRequest('POST', `${this.#path}/signals?role=sender`, OFFER));
    return (await arrived) - start;
  }

  leave(): void {
    this.#isGone = true;
    this.#connection.close();
  }

  async #wait(): Promise<void> {
    // The first signal of a session announces the receiver to the sender.
    for (let after = 1; !this.#isGone; ) {
      const request = getRequest(`${this.#path}/signals?role=receiver&waitSeconds=25&after=${after}`);
      const answer = await this.#connection.exchange(request, Number.POSITIVE_INFINITY);
      const arrivedAt = performance.now();
      requireStatus(answer, 200, request);
      const page = readMember(JSON.parse(answer.body.toString()), 'data');
      const cursor = readNumber(page, 'nextCursor');
      if (cursor === after) continue;
      after = cursor;
      this.#arrival.resolve(arrivedAt);
      this.#arrival = expectOne();
    }
  }
}

/** Closing aborts the poll, and nothing waits for it. */
function expectOne(): PromiseWithResolvers<number> {
  const expected = Promise.withResolvers<number>();
  expected.promise.catch(() => undefined);
  return expected;
}
