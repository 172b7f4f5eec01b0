import { toFrame } from '../http/event-stream.ts';
import type { Subscription } from './subscription.ts';

/** A stream of events, for messages that are no events of the drive. */
export interface MessageStream {
  isOpen(): boolean;
  /** Resolves when the stream has ended. */
  closed(): Promise<void>;
  /** Writes a message once the client has read what came before. Does nothing if the stream ends. */
  send(eventType: string, json: string): Promise<void>;
}

/** Writes messages to a stream until it ends. Must not throw. */
export type MessageWriter = (stream: MessageStream) => Promise<void>;

/** Messages have the id of the last event before them, so that the client resumes after that one. */
export function toMessageStream(subscription: Subscription): MessageStream {
  const { stream } = subscription;
  return {
    isOpen: () => stream.isOpen,
    closed: () => stream.closed(),
    send: async (eventType, json) => {
      // A stream that ended while it was full stays full.
      while (stream.isOpen && stream.isFull) await stream.drained();
      stream.write(toFrame(subscription.position, eventType, json));
    },
  };
}
