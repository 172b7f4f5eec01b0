import type { FastifyRequest } from 'fastify';
import { SECOND } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { PeerRole } from '../../base/domain/transfers.ts';
import { Failure } from '../../base/failure.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Payer } from '../online-storage-budget.ts';
import { readSignals, type SignalRecord, sendSignal } from './contract.ts';
import type { StoredSignal } from './queries.ts';
import type { Message, Signals } from './signals.ts';

/** The WebRTC signalling of ONLINE transfers: the two browsers exchange offers, answers and candidates. */
export function signalRoutes(server: Server, signals: Signals): void {
  mount(server, sendSignal, async (request) => {
    const { type, payload = null, role } = request.body;
    const claim = { token: peerTokenOf(request), role: request.query.role ?? toRole(role) };
    const sessionId = request.params.sessionId.toLowerCase();
    const message = { type, payload };
    return toRecord(await signals.send(sessionId, claim, message, payerOf(request)));
  });

  mount(server, readSignals, async (request, reply) => {
    const { role, after = 0, waitSeconds = 0 } = request.query;
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    const { signals: found, nextCursor } = await signals.read(
      request.params.sessionId.toLowerCase(),
      { token: peerTokenOf(request), role },
      { after, waitMs: waitSeconds * SECOND },
      disconnected.signal,
    );
    reply.header('cache-control', 'no-store');
    return { items: found.map(toRecord), nextCursor };
  });
}

/** The peer token in `X-Transfer-Token`. */
export function peerTokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-transfer-token'];
  return typeof header === 'string' && header !== '' ? header : undefined;
}

/** Whose budget is charged for what the caller stores. */
export function payerOf({ caller, ip }: FastifyRequest): Payer {
  return caller === undefined ? { address: ip } : { accountId: caller.accountId };
}

function toRole(text: string | null | undefined): PeerRole | undefined {
  if (text == null) return undefined;
  if (text === 'sender' || text === 'receiver') return text;
  throw new Failure('invalid', 'role must be sender or receiver.');
}

function toRecord({ cursor, from, message, createdAt }: StoredSignal): SignalRecord {
  // Serialized by `Signals.send` from a validated body.
  const { type, payload } = JSON.parse(message) as Message;
  return { cursor, from, type, payload, createdAt: toTimestamp(createdAt) };
}
