// Reads `text/event-stream` (WHATWG HTML, section 9.2.6), as far as the service writes it.

/** One message; `comment` is a line that only keeps the connection alive. */
export type Message =
  | { readonly type: 'comment' }
  | { readonly type: 'event'; readonly id: string; readonly event: string; readonly data: string };

/** Longer than any message of the service. It keeps a broken message from filling the memory. */
const MAX_BUFFER = 1_024 * 1_024;

/** Splits text into messages. The text may arrive in pieces of any length. */
export class MessageReader {
  #rest = '';
  #id = '';
  #event = '';
  #data: string[] = [];

  /** Yields the messages that this piece completes. @throws RangeError for an endless line */
  *read(text: string): Generator<Message, void, undefined> {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_BUFFER) throw new RangeError('A line of the event stream is too long.');
    for (const ended of lines) {
      const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
      if (line.startsWith(':')) yield { type: 'comment' };
      else if (line !== '') this.#readField(line);
      else if (this.#data.length > 0 || this.#event !== '') yield this.#complete();
    }
  }

  #readField(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id') this.#id = value;
  }

  #complete(): Message {
    const message = { type: 'event', id: this.#id, event: this.#event, data: this.#data.join('\n') } as const;
    this.#event = '';
    this.#data = [];
    return message;
  }
}
