/** Between the two pages, for as long as it holds. Keeps the order. */
export interface Line {
  /** No message may be longer. */
  readonly maxMessageBytes: number;
  send(message: string | Uint8Array<ArrayBuffer>): void;
  /** Waits until little is waiting to be sent. Ends too when the line breaks. */
  whenRoom(): Promise<void>;
  /** From now on; what came before comes first. */
  listen(listener: LineListener): void;
}

export interface LineListener {
  readonly onMessage: (message: string | ArrayBuffer) => void;
  readonly onBreak: () => void;
}

/** The line broke before everything was said. On another one it can go on. */
export class LineBroken extends Error {
  constructor() {
    super('The line broke.');
    this.name = 'LineBroken';
  }
}

/** Why files cannot be sent or received, whatever the line. */
export type Fault =
  /** The sender's file changed or is gone. */
  | 'unreadable'
  /** The receiver's disk is full. */
  | 'no-room'
  /** The receiver may not or cannot write there. */
  | 'unwritable'
  /** It comes damaged, again and again. */
  | 'damaged'
  /** The other side says a reason that we do not know. */
  | 'unknown';

const FAULTS: readonly string[] = ['unreadable', 'no-room', 'unwritable', 'damaged'] satisfies Fault[];

export class TransferFault extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(`The transfer failed: ${fault}.`, options);
    this.name = 'TransferFault';
    this.fault = fault;
  }
}

/** As the other side named it. */
export function toFault(reason: string): TransferFault {
  return new TransferFault(FAULTS.includes(reason) ? (reason as Fault) : 'unknown');
}
