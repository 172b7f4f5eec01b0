import type { TransferCode, TransferEvent } from '../../../client/src/client.ts';
import type { Terminal } from '../drive-command.ts';
import { toJsonLine } from '../terminal/escape.ts';
import { formatTime, printable } from '../terminal/format.ts';

/** Reports the events of a transfer: in sentences, or with `--json` as one JSON object per line. */
export class TransferOutput {
  readonly #terminal: Terminal;
  /** The address of the service, for links. */
  readonly #url: string;
  readonly #isJson: boolean;

  constructor(terminal: Terminal, url: string, isJson: boolean) {
    this.#terminal = terminal;
    this.#url = url;
    this.#isJson = isJson;
  }

  readonly printEvent = (event: TransferEvent): void => {
    if (event.type === 'code') this.printCode(event);
    else if (this.#isJson) this.#print(event);
    else this.#terminal.note(describe(event));
  };

  /** Prints `CODE` or `CODE#SECRET`, which is all that the receiver needs. */
  printCode({ mode, pickupCode, secret, expiresAt }: TransferCode): void {
    const code = secret === undefined ? pickupCode : `${pickupCode}#${secret}`;
    const link = `${this.#url}/t/${code}`;
    if (this.#isJson) {
      this.#print({ type: 'code', mode, pickupCode, secret, link, expiresAt });
      return;
    }
    this.#terminal.print(printable(code));
    this.#terminal.note(`${link}, until ${formatTime(expiresAt)}`);
    if (mode === 'ONLINE') this.#terminal.note('Waiting for the receiver.');
  }

  printFile(path: string, size: number): void {
    if (this.#isJson) this.#print({ type: 'file', path, size });
    else this.#terminal.print(printable(path));
  }

  #print(event: object): void {
    // Names come from strangers, so they must not be able to control the terminal.
    this.#terminal.print(toJsonLine(event));
  }
}

function describe(event: Exclude<TransferEvent, { type: 'code' }>): string {
  switch (event.type) {
    case 'peer':
      return `The other side says that it is ${event.name}.`;
    case 'connected':
      if (event.words === undefined) return 'Connected directly. The secret is the same on both sides.';
      return `Connected directly. No one is in between if the other side sees the same words: ${event.words.join(' ')}`;
    case 'left':
      return 'The other side has left. The code still works.';
    case 'interrupted':
      return 'The connection broke. Trying to connect again.';
    case 'stuck':
      return 'There is no direct connection yet. Still trying.';
    case 'storing':
      return 'The sender stores the files on the service, because there is no direct connection.';
  }
}
