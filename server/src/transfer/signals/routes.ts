import type { FastifyRequest } from 'fastify';
import { SECOND } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { PeerRole } from '../../base/domain/transfers.ts';
import { Failure } from '../../base/failure.ts';
import { enveloped, success } from '../../http/envelope.ts';
import type { Server } from '../../http/server.ts';
import {
  SignalBody,
  SignalPage,
  SignalQuery,
  SignalRecord,
  SignalsQuery,
  TransferParams,
} from '../contract.ts';
import type { Payer } from '../online-storage-budget.ts';
import type { StoredSignal } from './queries.ts';
import type { Message, Signals } from './signals.ts';

const ADDRESS = '/api/transfer/sessions/:sessionId/signals';
const MAX_SIGNAL_BYTES = 64 * 1024;

/** The WebRTC signalling of ONLINE transfers: the two browsers exchange offers, answers and candidates. */
export function signalRoutes(server: Server, signals: Signals): void {
  server.post(
    ADDRESS,
    {
      config: { access: 'public', appPassword: 'write' },
      bodyLimit: MAX_SIGNAL_BYTES,
      schema: {
        params: TransferParams,
        querystring: SignalQuery,
        body: SignalBody,
        response: enveloped(SignalRecord),
      },
    },
    async (request) => {
      const { type, payload = null, role } = request.body;
      const claim = { token: peerTokenOf(request), role: request.query.role ?? toRole(role) };
      const sessionId = request.params.sessionId.toLowerCase();
      const message = { type, payload };
      return success(toRecord(await signals.send(sessionId, claim, message, payerOf(request))));
    },
  );

  server.get(
    ADDRESS,
    {
      config: { access: 'public', appPassword: 'read', isLongPoll: true },
      schema: { params: TransferParams, querystring: SignalsQuery, response: enveloped(SignalPage) },
    },
    async (request, reply) => {
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
      return success({ items: found.map(toRecord), nextCursor });
    },
  );
}

/** `X-Transfer-Token`. */
export function peerTokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-transfer-token'];
  return typeof header === 'string' && header !== '' ? header : undefined;
}

/** Who pays for what the caller stores. */
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
