// The first exchange of both pages on every new line. With a secret, they prove that they know it. Without
// one, they agree on four words. See docs/encrypted-transfer.md, "Direct transfers".

import { fromBase64url, toBase64url } from '../encryption/base64url.ts';
import {
  checkProof,
  type Fingerprints,
  isValue,
  makeProof,
  newValue,
  type PeerRole,
  toWords,
} from '../encryption/peer-proof.ts';
import { sha256 } from '../sha256.ts';
import { type Line, LineBroken, type LineListener, TransferFault, toFault } from './line.ts';

/** The time limit for the other page. Ours answer immediately, unless the machine is very busy. */
const ANSWER_MS = 20_000;

/** More messages than our pages send before they are read. */
const MAX_UNREAD = 64;

type Message = string | ArrayBuffer;

/** A line whose first messages are read one by one. It keeps messages after the greeting for the listener. */
export class GreetingLine implements Line {
  readonly #line: Line;
  readonly #answerMs: number;
  readonly #unread: Message[] = [];
  #listener: LineListener | undefined;
  #isBroken = false;
  #wake: (() => void) | undefined;

  constructor(line: Line, answerMs = ANSWER_MS) {
    this.#line = line;
    this.#answerMs = answerMs;
    line.listen({
      onMessage: (message) => {
        if (this.#listener !== undefined) this.#listener.onMessage(message);
        else if (this.#unread.length < MAX_UNREAD) this.#unread.push(message);
        this.#wake?.();
      },
      onBreak: () => {
        this.#isBroken = true;
        this.#listener?.onBreak();
        this.#wake?.();
      },
    });
  }

  get maxMessageBytes(): number {
    return this.#line.maxMessageBytes;
  }

  send(message: string | Uint8Array<ArrayBuffer>): void {
    this.#line.send(message);
  }

  whenRoom(): Promise<void> {
    return this.#line.whenRoom();
  }

  listen(listener: LineListener): void {
    this.#listener = listener;
    for (const message of this.#unread.splice(0)) listener.onMessage(message);
    if (this.#isBroken) listener.onBreak();
  }

  /**
   * Reads the bytes in a member of the next message, which must be of the given type.
   * @throws LineBroken; TransferFault `stranger` for another message or none in time; a TransferFault that
   *   the other side reports
   */
  async read(type: string, member: string): Promise<Uint8Array<ArrayBuffer>> {
    const message = parse(await this.#next());
    if (message.type === 'failed') throw toFault(String(message.reason));
    const value = message[member];
    const bytes = message.type === type && typeof value === 'string' ? fromBase64url(value) : undefined;
    if (bytes === undefined) throw new TransferFault('stranger');
    return bytes;
  }

  async #next(): Promise<Message> {
    const until = performance.now() + this.#answerMs;
    while (this.#unread.length === 0) {
      if (this.#isBroken) throw new LineBroken();
      const left = until - performance.now();
      if (left <= 0) throw new TransferFault('stranger');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#unread.shift() ?? '';
  }
}

/**
 * Proves to the other page that this one knows the secret. Checks that the other knows it too, and that no
 * one is in between. Nothing may be sent before this.
 * @param seen undefined if the session descriptions do not have exactly one fingerprint each
 * @throws LineBroken; TransferFault `stranger`
 */
export async function provePeers(
  line: GreetingLine,
  role: PeerRole,
  key: CryptoKey,
  seen: Fingerprints | undefined,
): Promise<void> {
  await orRefuse(line, async () => {
    const fingerprints = orStranger(seen);
    say(line, { type: 'proof', mac: toBase64url(await makeProof(key, role, fingerprints)) });
    const proof = await line.read('proof', 'mac');
    if (!(await checkProof(key, otherOf(role), fingerprints, proof))) throw new TransferFault('stranger');
  });
}

/**
 * Agrees on the four words. Both pages show the same ones if no one is in between.
 * @throws LineBroken; TransferFault `stranger` for a page that breaks the protocol
 */
export async function agreeOnWords(
  line: GreetingLine,
  role: PeerRole,
  seen: Fingerprints | undefined,
): Promise<readonly string[]> {
  return await orRefuse(line, async () => {
    const { own, other } = orStranger(seen);
    const mine = newValue();
    if (role === 'sender') {
      say(line, { type: 'commitment', hash: toBase64url(await sha256(mine)) });
      const theirs = await line.read('value', 'value');
      if (!isValue(theirs)) throw new TransferFault('stranger');
      say(line, { type: 'value', value: toBase64url(mine) });
      const values = { senderValue: mine, receiverValue: theirs };
      return await toWords({ ...values, senderFingerprint: own, receiverFingerprint: other });
    }
    const commitment = await line.read('commitment', 'hash');
    say(line, { type: 'value', value: toBase64url(mine) });
    const theirs = await line.read('value', 'value');
    if (!isValue(theirs) || toBase64url(await sha256(theirs)) !== toBase64url(commitment)) {
      throw new TransferFault('stranger');
    }
    const values = { senderValue: theirs, receiverValue: mine };
    return await toWords({ ...values, senderFingerprint: other, receiverFingerprint: own });
  });
}

function otherOf(role: PeerRole): PeerRole {
  return role === 'sender' ? 'receiver' : 'sender';
}

function orStranger(seen: Fingerprints | undefined): Fingerprints {
  if (seen === undefined) throw new TransferFault('stranger');
  return seen;
}

async function orRefuse<T>(line: Line, greet: () => Promise<T>): Promise<T> {
  try {
    return await greet();
  } catch (error) {
    if (error instanceof TransferFault) say(line, { type: 'failed', reason: error.fault });
    throw error;
  }
}

function say(line: Line, message: Readonly<Record<string, string>>): void {
  line.send(JSON.stringify(message));
}

function parse(message: Message): Record<string, unknown> {
  try {
    const read: unknown = typeof message === 'string' ? JSON.parse(message) : undefined;
    // Callers check every member that they use.
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
