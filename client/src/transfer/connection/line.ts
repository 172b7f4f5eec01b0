/** An ordered channel between the two pages, for as long as it stays open. */
export interface Line {
  /** The maximum size of a message. */
  readonly maxMessageBytes: number;
  send(message: string | Uint8Array<ArrayBuffer>): void;
  /** Waits until the send buffer is nearly empty, or the line breaks. */
  whenRoom(): Promise<void>;
  /** Registers the only listener; earlier messages are delivered first. */
  listen(listener: LineListener): void;
}

export interface LineListener {
  readonly onMessage: (message: string | ArrayBuffer) => void;
  readonly onBreak: () => void;
}

/** The line broke before the end of the transfer, which can resume on another line. */
export class LineBroken extends Error {
  constructor() {
    super('The line broke.');
    this.name = 'LineBroken';
  }
}

/** Why files cannot be sent or received on any line. */
export type Fault =
  /** The sender's file changed or was deleted. */
  | 'unreadable'
  /** The receiver's disk is full. */
  | 'no-room'
  /** The receiver cannot write to the chosen location. */
  | 'unwritable'
  /** The bytes repeatedly arrive damaged. */
  | 'damaged'
  /** A file does not decrypt: it was changed after it was encrypted. */
  | 'altered'
  /** Someone else is at the other end, or in between. */
  | 'stranger'
  /** The other side reports a reason that this version does not know. */
  | 'unknown';

const FAULTS: readonly string[] = [
  'unreadable',
  'no-room',
  'unwritable',
  'damaged',
  'altered',
  'stranger',
] satisfies Fault[];

const SENTENCES: Readonly<Record<Fault, string>> = {
  unreadable: "A file of the sender's was changed or deleted.",
  'no-room': "The receiver's disk is full.",
  unwritable: 'The receiver cannot write the files.',
  damaged: 'The files arrive damaged.',
  altered: 'A file was changed after it was encrypted.',
  stranger: 'Somebody else is at the other end of the connection, or in between, or has another secret.',
  unknown: 'The other side has failed.',
};

/** The files cannot be sent or received. */
export class TransferFault extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(SENTENCES[fault], options);
    this.name = 'TransferFault';
    this.fault = fault;
  }
}

/** The reason as the other side named it. */
export function toFault(reason: string): TransferFault {
  return new TransferFault(FAULTS.includes(reason) ? (reason as Fault) : 'unknown');
}
