import { toFrame } from '../http/event-stream.ts';
import type { Subscription } from './subscription.ts';

/** An event stream, for messages that are not events of the drive. */
export interface MessageStream {
  isOpen(): boolean;
  /** Resolves when the stream has ended. */
  closed(): Promise<void>;
  /** Writes a message once the client has read what came before. Does nothing if the stream ends. */
  send(eventType: string, json: string): Promise<void>;
}

/** Writes messages to a stream until it ends. Must not throw. */
export type MessageWriter = (stream: MessageStream) => Promise<void>;

/**
 * A message has the id of the last event before it, so that a reconnecting client resumes after that event.
 */
export function toMessageStream(subscription: Subscription): MessageStream {
  const { stream } = subscription;
  return {
    isOpen: () => stream.isOpen,
    closed: () => stream.closed(),
    send: async (eventType, json) => {
      // A stream that ends while it is full stays full, so both are checked.
      while (stream.isOpen && stream.isFull) await stream.drained();
      stream.write(toFrame(subscription.position, eventType, json));
    },
  };
}
