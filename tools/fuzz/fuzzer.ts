// Sends random requests to a service in this process and checks every response.
import { setImmediate } from 'node:timers/promises';
import type { App } from '../../server/src/app/app.ts';
import { type FuzzOutcome, Tally } from './outcome.ts';
import { People } from './people.ts';
import { publishRelease } from './published-release.ts';
import { recordFromError, recordFromSuccess } from './recording.ts';
import { toCurl } from './reproduction.ts';
import { type Draft, ROLES, type Role } from './requests/draft.ts';
import { type DraftContext, draftValidRequest } from './requests/drafts.ts';
import { type EncodedRequest, encodeRequest } from './requests/encoding.ts';
import { KnownValues } from './requests/known-values.ts';
import { mutate } from './requests/mutations.ts';
import { OddValues } from './requests/odd-values.ts';
import { type ApiDocument, listOperations, type Operation } from './requests/operations.ts';
import { PRODUCERS } from './requests/producers.ts';
import { Random } from './requests/random.ts';
import { parse, ResponseChecks } from './response-checks.ts';
import { EventLoopProbe, MAX_BLOCK_MS } from './service/event-loop-probe.ts';
import { NoResponse, RawConnection, type RawResponse } from './service/raw-connection.ts';
import type { ServiceLog } from './service/service-log.ts';

/** How many times a request that blocks the event loop is sent, in case something else blocked it. */
const TRIES = 3;

const TIMEOUT_MS = 10_000;

/** Each role gets a new account after this many requests, because fuzzed requests restrict accounts. */
const RENEWED_AFTER = 2_000;

/**
 * For operations that rarely succeeded, this share of requests is mutated. The rest are as valid as possible.
 */
const MUTATED_RARE_PERCENT = 40;

/** The maximum number of planned requests, so that preparing one request stays cheap. */
const MAX_PLANNED = 12;

/** The run ends after this many faults: that is enough to examine. */
const MAX_FAULTS = 40;

/** The roles with their weights. Members own what most operations work on, so they come most often. */
const SENDERS: readonly Role[] = ['member', 'member', 'member', 'member', ...ROLES];

interface FuzzOptions {
  readonly app: App;
  readonly url: string;
  /** The log that the service writes to. */
  readonly log: ServiceLog;
  readonly seed: number;
}

interface Planned {
  readonly operation: Operation;
  readonly role: Role;
  /** Whether other requests prepared this one. If so, it is sent even if something is still missing. */
  readonly isPrepared: boolean;
}

export class Fuzzer {
  readonly #options: FuzzOptions;
  readonly #context: DraftContext;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #connection: RawConnection;
  readonly #probe = new EventLoopProbe();
  readonly #checks = new ResponseChecks();
  readonly #people: People;
  readonly #tally: Tally;
  /** Requests that prepare others, and the prepared ones. The next one to send is at the end. */
  #planned: readonly Planned[] = [];
  #number = 0;

  private constructor(options: FuzzOptions, document: ApiDocument) {
    const { app, url, seed } = options;
    const random = new Random(seed);
    this.#options = options;
    this.#context = { random, odd: new OddValues(random), known: new KnownValues(random) };
    const operations = listOperations(document, app.server.listMountedRoutes());
    this.#operations = new Map(operations.map((operation) => [operation.name, operation]));
    this.#connection = new RawConnection(url);
    this.#people = new People((...request) => this.#ask(...request), this.#context.known);
    this.#tally = new Tally([...this.#operations.keys()]);
  }

  /** A fuzzer for the operations that the service describes. */
  static async create(options: FuzzOptions): Promise<Fuzzer> {
    const description = await options.app.server.inject('/api/openapi.json');
    return new Fuzzer(options, JSON.parse(description.body));
  }

  get outcome(): FuzzOutcome {
    const { successes, statuses, longestBlockMs, faults } = this.#tally;
    const { seed } = this.#options;
    return { seed, requests: this.#number, faults, successes, statuses, longestBlockMs };
  }

  /** Sends this many more requests; fewer if there are many different faults. */
  async send(requests: number): Promise<void> {
    if (this.#number === 0) {
      await publishRelease(this.#options.app, this.#context.known);
      for (const role of ROLES) await this.#people.renew(role);
    }
    for (let sent = 0; sent < requests && this.#tally.faults.length < MAX_FAULTS; sent += 1) {
      this.#number += 1;
      await this.#renewAccounts();
      await this.#sendOne();
    }
  }

  close(): void {
    this.#probe.close();
    this.#connection.close();
  }

  async #sendOne(): Promise<void> {
    const { random, known } = this.#context;
    const planned = this.#planned.at(-1);
    this.#planned = this.#planned.slice(0, -1);
    const { operation, role } = planned ?? {
      operation: this.#chooseOperation(),
      role: random.pick(SENDERS),
    };
    known.startRequest();
    const draft = draftValidRequest(operation, role, this.#context);
    const isValid =
      planned !== undefined || (this.#isRare(operation) && !random.chance(MUTATED_RARE_PERCENT));
    if (isValid && planned?.isPrepared !== true && this.#planProducers(operation, role)) return;
    if (!isValid) mutate(draft, this.#context);
    const token =
      isValid || random.chance(97)
        ? this.#people.tokenOf(role)
        : this.#context.odd.text().replaceAll(/[\r\n]/g, '');
    const request = encodeRequest(draft, 'localhost', token);
    try {
      const response = await this.#sendMeasured(request);
      await this.#judge(draft, request, response);
      if (isValid && (response.status === 404 || response.status === 410)) known.dropUsed();
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      this.#addFault(operation.name, error.message, request, '');
    }
  }

  /** Chooses an operation that rarely succeeded so far, or any other. */
  #chooseOperation(): Operation {
    const { random } = this.#context;
    const all = [...this.#operations.values()];
    const rare = all.filter((operation) => this.#isRare(operation));
    return random.pick(rare.length > 0 && random.chance(30) ? rare : all);
  }

  /**
   * Plans requests that produce for the role what the last draft lacks, followed by one of its operation.
   *
   * @returns whether it planned any
   */
  #planProducers(operation: Operation, role: Role): boolean {
    const { missed } = this.#context.known;
    const producers = ((missed && PRODUCERS[missed]) ?? []).flatMap(
      (name) => this.#operations.get(name) ?? [],
    );
    const count = this.#planned.length + producers.length + 1;
    if (role === 'anonymous' || producers.length === 0 || count > MAX_PLANNED) return false;
    this.#planned = [
      ...this.#planned,
      { operation, role, isPrepared: true },
      ...producers.toReversed().map((producer) => ({ operation: producer, role, isPrepared: false })),
    ];
    return true;
  }

  #isRare({ name }: Operation): boolean {
    return (this.#tally.successes.get(name) ?? 0) < 3;
  }

  /** Sends the request again if it blocked the event loop, in case something else did. */
  async #sendMeasured(request: EncodedRequest): Promise<RawResponse> {
    const [response, blockMs] = await this.#sendOnce(request);
    let shortest = blockMs;
    for (let tries = 1; tries < TRIES && shortest > MAX_BLOCK_MS; tries += 1) {
      const [, again] = await this.#sendOnce(request);
      shortest = Math.min(shortest, again);
    }
    this.#tally.longestBlockMs = Math.max(this.#tally.longestBlockMs, shortest);
    if (shortest > MAX_BLOCK_MS) {
      const fault = `blocks the event loop for more than ${MAX_BLOCK_MS} ms`;
      this.#addFault(request.name, fault, request, `${shortest.toFixed(0)} ms`);
    }
    return response;
  }

  async #sendOnce(request: EncodedRequest): Promise<readonly [RawResponse, number]> {
    this.#probe.start();
    const response = await this.#connection.send(request.bytes, request.method, TIMEOUT_MS);
    return [response, this.#probe.stop().blockMs];
  }

  async #judge(draft: Draft, request: EncodedRequest, response: RawResponse): Promise<void> {
    const requestId = response.headers.get('x-request-id') ?? '';
    // The service logs a request once its response is sent, which is usually before it arrives here.
    for (let turn = 0; turn < 3 && this.#options.log.findRoute(requestId) === undefined; turn += 1) {
      await setImmediate();
    }
    const served = this.#options.log.findRoute(requestId);
    const operation = this.#operations.get(served ?? '');
    this.#tally.countStatus(operation?.name, response.status);
    for (const fault of this.#checks.find({ ...request, operation, response })) {
      const cause = this.#options.log.findCause(requestId);
      this.#addFault(served ?? draft.operation.name, fault, request, describe(cause, response));
    }
    const { known } = this.#context;
    if (response.status < 400) recordFromSuccess(known, draft, operation, response);
    else recordFromError(known, draft, response);
    if (response.status === 401) await this.#renewIfEnded(draft.role);
  }

  /**
   * Checks the login of a role with a separate request: a rejected fuzzed token does not prove that it ended.
   */
  async #renewIfEnded(role: Role): Promise<void> {
    const token = this.#people.tokenOf(role);
    if (token === undefined) return;
    const body = await this.#ask('GET', '/api/user/profile', undefined, token);
    if ((parse(body) as { code?: unknown } | undefined)?.code !== 0) await this.#people.logInAgain(role);
  }

  /** Renews the accounts of all roles in turn. */
  async #renewAccounts(): Promise<void> {
    const { app } = this.#options;
    const turn = Math.floor((this.#number % RENEWED_AFTER) / (RENEWED_AFTER / ROLES.length));
    const isTurn = this.#number % (RENEWED_AFTER / ROLES.length) === 0;
    if (isTurn) await this.#people.renew(ROLES[turn] ?? 'member');
    if (this.#number % 100 !== 1) return;
    const inviteCode = await app.settings.findInviteCode(app.database.db);
    if (inviteCode !== undefined) this.#context.known.add('invite', 'anonymous', { inviteCode });
  }

  async #ask(method: string, url: string, body: unknown, token: string | undefined): Promise<Buffer> {
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const head = [
      `${method} ${url} HTTP/1.1`,
      'host: localhost',
      ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
      ...(body === undefined
        ? []
        : ['content-type: application/json', `content-length: ${bytes.byteLength}`]),
    ];
    const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
    return (await this.#connection.send(request, method, TIMEOUT_MS)).body;
  }

  #addFault(operation: string, fault: string, request: EncodedRequest, detail: string): void {
    this.#tally.addFault({
      sentence: `${operation}: ${fault}`,
      requestNumber: this.#number,
      reproduction: toCurl(request),
      detail,
    });
  }
}

function describe(cause: unknown, { status, body }: RawResponse): string {
  const answer = `${status} ${body.toString().slice(0, 300)}`;
  return cause instanceof Error ? `${answer}\n  ${cause.stack ?? cause.message}` : answer;
}
