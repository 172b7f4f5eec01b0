import type { TransferRecord } from '../../../src/transfer/contract.ts';
import type { Answer, CallOptions, Person } from '../app/person.ts';

export const TRANSFERS = '/api/transfer/sessions';

export type PeerSession = TransferRecord & { readonly peerToken: string };

export interface Signal {
  readonly cursor: number;
  readonly from: 'sender' | 'receiver';
  readonly type: string;
  readonly payload: unknown;
  readonly createdAt: string;
}

export interface SignalPage {
  readonly items: readonly Signal[];
  readonly nextCursor: number;
}

export const ONE_FILE = [{ name: 'letter.txt', size: 5, contentType: 'text/plain' }];

export function openOnline(person: Person, more: object = {}): Promise<PeerSession> {
  return person.ask('POST', TRANSFERS, { body: { mode: 'ONLINE', files: ONE_FILE, ...more } });
}

export function lookUp(
  person: Person,
  code: string,
  options: CallOptions = {},
): Promise<Answer<TransferRecord>> {
  return person.call('GET', `${TRANSFERS}/lookup?pickupCode=${encodeURIComponent(code)}`, options);
}

export function join(person: Person, { sessionId }: TransferRecord): Promise<PeerSession> {
  return person.ask('POST', `${TRANSFERS}/${sessionId}/join`);
}

export function leave(person: Person, { sessionId, peerToken }: PeerSession): Promise<null> {
  return person.ask('DELETE', receiverUrl(sessionId), withToken(peerToken));
}

export function receiverUrl(sessionId: string): string {
  return `/api/v2/transfer/sessions/${sessionId}/receiver`;
}

export function withToken(token: string): CallOptions {
  return { headers: { 'x-transfer-token': token } };
}

/** A peer of a session, which sends and reads signals with its token. */
export class Peer {
  readonly #person: Person;
  readonly #session: PeerSession;

  constructor(person: Person, session: PeerSession) {
    this.#person = person;
    this.#session = session;
  }

  get signalsUrl(): string {
    return `${TRANSFERS}/${this.#session.sessionId}/signals`;
  }

  send(type: string, payload?: unknown): Promise<Signal> {
    const { headers = {} } = withToken(this.#session.peerToken);
    return this.#person.ask('POST', this.signalsUrl, { body: { type, payload }, headers });
  }

  read(after = 0, waitSeconds = 0, signal?: AbortSignal): Promise<SignalPage> {
    const options = { ...withToken(this.#session.peerToken), ...(signal === undefined ? {} : { signal }) };
    return this.#person.ask('GET', `${this.signalsUrl}?after=${after}&waitSeconds=${waitSeconds}`, options);
  }
}
