/** One message of an event stream (WHATWG HTML, section 9.2.6). */
export interface StreamMessage {
  /** The last number that was told, with this message or before it. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** Takes the text of an event stream, in pieces that end anywhere, and gives its messages. */
export class EventParser {
  #rest = '';
  #id = '';
  #type = '';
  #data: string[] = [];

  /** The messages that are whole with this piece. */
  push(piece: string): readonly StreamMessage[] {
    const messages: StreamMessage[] = [];
    // A carriage return at the end may be half of a line's end: it waits for what follows.
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') this.#read(line);
      else if (this.#data.length > 0) messages.push(this.#take());
      else this.#type = '';
    }
    return messages;
  }

  #read(line: string): void {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#type = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    // What begins with a colon is a heartbeat, and anything else is for readers of another time.
  }

  #take(): StreamMessage {
    const message = { id: this.#id, type: this.#type || 'message', data: this.#data.join('\n') };
    this.#type = '';
    this.#data = [];
    return message;
  }
}
