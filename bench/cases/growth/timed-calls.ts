import { HttpConnection } from '../../load/http-connection.ts';
import { requireStatus } from '../../load/load.ts';
import type { Run } from '../../report/figure.ts';
import { median } from '../../report/median.ts';
import { readCpuSeconds } from '../../report/memory.ts';
import { readMember, type Service } from '../../service.ts';

interface Calls {
  readonly times: number[];
  cpuMs: number;
}

/** Calls over one connection, with the time and the processor time of each kind of call. */
export class TimedCalls {
  readonly #service: Service;
  readonly #connection: HttpConnection;
  readonly #calls = new Map<string, Calls>();

  private constructor(service: Service, connection: HttpConnection) {
    this.#service = service;
    this.#connection = connection;
  }

  static async open(service: Service): Promise<TimedCalls> {
    return new TimedCalls(service, await HttpConnection.open(service.port));
  }

  /** Returns the `data` of the answer. */
  async call(name: string, request: Buffer): Promise<unknown> {
    const calls = this.#calls.get(name) ?? { times: [], cpuMs: 0 };
    this.#calls.set(name, calls);
    const { pid } = this.#service;
    const cpuBefore = readCpuSeconds(pid);
    const start = performance.now();
    const answer = await this.#connection.exchange(request, Number.POSITIVE_INFINITY);
    calls.times.push(performance.now() - start);
    calls.cpuMs += (readCpuSeconds(pid) - cpuBefore) * 1_000;
    requireStatus(answer, 200, request);
    return readMember(JSON.parse(answer.body.toString()), 'data');
  }

  /** The median time and the mean processor time of each kind since the last call of this method. */
  take(): ReadonlyMap<string, Run> {
    const runs = new Map(
      Array.from(this.#calls, ([name, { times, cpuMs }]) => [
        name,
        { value: median(times), cpuMs: cpuMs / times.length },
      ]),
    );
    this.#calls.clear();
    return runs;
  }

  close(): void {
    this.#connection.close();
  }
}
