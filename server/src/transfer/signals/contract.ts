import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { Nullable, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { TransferParams } from '../contract.ts';

const ROLES = ['sender', 'receiver'] as const;

/** The maximum number of signals in one response. */
export const MAX_SIGNALS = 100;
const MAX_SIGNAL_BYTES = 64 * 1024;

const Role = Type.Unsafe<(typeof ROLES)[number]>({ type: 'string', enum: [...ROLES] });

const SignalQuery = Type.Object({ role: Type.Optional(Role) });

export const SignalBody = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 128 }),
  payload: Type.Optional(Type.Unknown({ description: 'any JSON' })),
  role: Type.Optional(Nullable(Type.String({ maxLength: 32 }))),
});

const SignalsQuery = Type.Object({
  role: Type.Optional(Role),
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  waitSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, description: 'long poll' })),
});

export const SignalRecord = Type.Object({
  cursor: Type.Integer(),
  from: Role,
  type: Type.String(),
  payload: Type.Unknown(),
  createdAt: Timestamp,
});
export type SignalRecord = Static<typeof SignalRecord>;

export const SignalPage = Type.Object({
  items: Type.Array(SignalRecord, { maxItems: MAX_SIGNALS }),
  nextCursor: Type.Integer(),
});
export type SignalPage = Static<typeof SignalPage>;

export const sendSignal = operation('POST /api/transfer/sessions/{sessionId}/signals', {
  does: 'Sends a message to the other peer of a transfer.',
  access: 'public',
  appPassword: 'write',
  path: TransferParams,
  query: SignalQuery,
  body: SignalBody,
  maxBodyBytes: MAX_SIGNAL_BYTES,
  data: SignalRecord,
  example: {
    path: { sessionId: EXAMPLE.transfer },
    headers: { 'x-transfer-token': EXAMPLE.senderToken },
    body: { type: 'candidate', payload: null, role: 'sender' },
  },
});

export const readSignals = operation('GET /api/transfer/sessions/{sessionId}/signals', {
  does: 'Reads the messages of the other peer of a transfer, and waits for the next one.',
  access: 'public',
  appPassword: 'read',
  isLongPoll: true,
  path: TransferParams,
  query: SignalsQuery,
  data: SignalPage,
  example: {
    path: { sessionId: EXAMPLE.transfer },
    headers: { 'x-transfer-token': EXAMPLE.senderToken },
    query: { role: 'sender', after: 0 },
  },
});
