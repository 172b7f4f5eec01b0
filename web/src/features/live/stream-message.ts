import { createParser } from 'eventsource-parser';

/** One message of an event stream (WHATWG HTML, section 9.2.6). */
export interface StreamMessage {
  /** The last event id so far: of this message, or of one before it. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/**
 * Returns a function that takes the text of an event stream in chunks of any size, and calls back with each
 * complete message.
 */
export function newMessageReader(onMessage: (message: StreamMessage) => void): (piece: string) => void {
  let id = '';
  const parser = createParser({
    onId: (next) => {
      id = next;
    },
    onEvent: ({ event = 'message', data }) => onMessage({ id, type: event, data }),
  });
  return (piece) => parser.feed(piece);
}
