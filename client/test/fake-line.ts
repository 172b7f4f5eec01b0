import type { Line, LineListener } from '../src/transfer/connection/line.ts';

/** What happens to a message, for tests. */
export type Fate = 'comes' | 'is lost' | 'is damaged' | 'comes late' | 'breaks the line';

export type Message = string | Uint8Array<ArrayBuffer>;

/**
 * Two ends of a line. The fates in the test's list apply to the messages in order; later ones arrive intact.
 */
export function makeFakeLines(
  nextFate: (message: Message) => Fate,
  maxMessageBytes: number,
): { ends: [Line, Line]; cut: () => void } {
  const listeners: (LineListener | undefined)[] = [undefined, undefined];
  const late: (Message | undefined)[] = [undefined, undefined];
  const early: Message[][] = [[], []];
  let isBroken = false;
  const cut = () => {
    if (isBroken) return;
    isBroken = true;
    for (const listener of listeners) listener?.onBreak();
  };
  const deliver = (to: number, message: Message) => {
    const listener = listeners[to];
    if (isBroken) return;
    if (listener === undefined) early[to]?.push(message);
    else listener.onMessage(typeof message === 'string' ? message : message.slice().buffer);
  };
  const carry = (to: number, message: Message) => {
    const fate = nextFate(message);
    if (fate === 'breaks the line') cut();
    else if (fate === 'comes late' && late[to] === undefined) late[to] = message;
    else if (fate !== 'is lost') {
      deliver(to, fate === 'is damaged' ? damage(message) : message);
      const held = late[to];
      late[to] = undefined;
      if (held !== undefined) deliver(to, held);
    }
  };
  const makeEnd = (from: number): Line => ({
    maxMessageBytes,
    // Like in a browser, the message is copied now and arrives later.
    send: (message) => {
      const sent = typeof message === 'string' ? message : message.slice();
      setImmediate(() => carry(1 - from, sent));
    },
    whenRoom: () => new Promise((resolve) => setImmediate(resolve)),
    listen: (listener) => {
      listeners[from] = listener;
      if (isBroken) listener.onBreak();
      for (const message of early[from]?.splice(0) ?? []) deliver(from, message);
    },
  });
  return { ends: [makeEnd(0), makeEnd(1)], cut };
}

function damage(message: Message): Message {
  if (typeof message === 'string') return `${message.slice(0, -1)}?`;
  const damaged = message.slice();
  damaged[0] = (damaged[0] ?? 0) ^ 1;
  return damaged;
}
