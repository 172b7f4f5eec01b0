/*
 * The messages between the service and a child process, which they send over the pipes of the process.
 *
 * A request is a head of eight bytes and the bytes of a file. The head has a parameter and the length of the
 * file. An answer is a head of nine bytes and a body. The head says how the work went, how much memory the
 * process takes, and how long the body is. Before its first answer the process sends one byte, once it is
 * ready.
 */

export const READY = Buffer.from([1]);

export const REQUEST_HEAD_BYTES = 8;
const ANSWER_HEAD_BYTES = 9;

/** The memory of a process that must be replaced, in KiB. */
const SPENT_KIB = 2 ** 32 - 1;

export interface ChildRequest {
  /** What to do with the file, in the words of the program: an unsigned integer of 32 bits. */
  readonly parameter: number;
  /** The size of the file in bytes. */
  readonly length: number;
}

export interface ChildAnswer {
  /** How the work went, in the words of the program: an integer from 0 to 255. */
  readonly outcome: number;
  readonly body: Buffer;
  /** The memory that the process takes after the work, in bytes. `Infinity` if it must be replaced. */
  readonly memoryBytes: number;
}

/** How answers are understood. A file may have taken over the process, so each one is checked. */
export interface AnswerRules<T> {
  readonly maxBodyBytes: number;
  /** Undefined for an invalid answer. */
  readonly read: (answer: ChildAnswer) => T | undefined;
}

/** What a process has answered. */
export interface Answered<T> {
  readonly result: T;
  /** See {@link ChildAnswer}. */
  readonly memoryBytes: number;
}

export function toRequestHead({ parameter, length }: ChildRequest): Buffer {
  const head = Buffer.alloc(REQUEST_HEAD_BYTES);
  head.writeUInt32BE(parameter, 0);
  head.writeUInt32BE(length, 4);
  return head;
}

export function readRequestHead(head: Buffer): ChildRequest {
  return { parameter: head.readUInt32BE(0), length: head.readUInt32BE(4) };
}

export function toAnswer({ outcome, body, memoryBytes }: ChildAnswer): Buffer {
  const head = Buffer.alloc(ANSWER_HEAD_BYTES);
  head.writeUInt8(outcome, 0);
  head.writeUInt32BE(Math.min(Math.ceil(memoryBytes / 1024), SPENT_KIB), 1);
  head.writeUInt32BE(body.length, 5);
  return body.length === 0 ? head : Buffer.concat([head, body]);
}

/** Puts an answer together from the pieces in which it arrives. */
export class AnswerReader<T> {
  readonly #rules: AnswerRules<T>;
  #pieces: Buffer[] = [];
  #received = 0;

  constructor(rules: AnswerRules<T>) {
    this.#rules = rules;
  }

  /**
   * Returns the answer once it is complete.
   * @throws Error if the bytes are not a valid answer. The reader must not be used afterwards.
   */
  add(piece: Buffer): Answered<T> | undefined {
    this.#pieces.push(piece);
    this.#received += piece.length;
    if (this.#received < ANSWER_HEAD_BYTES) return undefined;
    if ((this.#pieces[0]?.length ?? 0) < ANSWER_HEAD_BYTES) this.#pieces = [Buffer.concat(this.#pieces)];
    const length = this.#pieces[0]?.readUInt32BE(5) ?? 0;
    const missing = ANSWER_HEAD_BYTES + length - this.#received;
    if (length > this.#rules.maxBodyBytes || missing < 0) throw notAnAnswer();
    if (missing > 0) return undefined;
    const answer = toChildAnswer(Buffer.concat(this.#pieces));
    const result = this.#rules.read(answer);
    if (result === undefined) throw notAnAnswer();
    return { result, memoryBytes: answer.memoryBytes };
  }
}

function toChildAnswer(bytes: Buffer): ChildAnswer {
  const memory = bytes.readUInt32BE(1);
  return {
    outcome: bytes.readUInt8(0),
    body: bytes.subarray(ANSWER_HEAD_BYTES),
    memoryBytes: memory === SPENT_KIB ? Number.POSITIVE_INFINITY : memory * 1024,
  };
}

function notAnAnswer(): Error {
  return new Error('The child process sent an invalid answer.');
}
