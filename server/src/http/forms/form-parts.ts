import { isUtf8 } from 'node:buffer';
import { findParameter, malformed, type PartHead, parsePartHead } from './part-head.ts';

/** The limit for the head of a part, including the rest of the delimiter line before it. */
const MAX_HEAD_BYTES = 16 * 1024;

/** The limit for bytes before the first part, or after the last one. */
const MAX_SURROUNDING_BYTES = 64 * 1024;

/** RFC 2046, section 5.1.1. */
const MAX_BOUNDARY_LENGTH = 70;

const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';
const CLOSING = '--';
const CARRIAGE_RETURN = 0x0d;

/**
 * Reads the parts of a `multipart/form-data` body (RFC 7578; RFC 2046, section 5.1.1) one after another. The
 * bytes of a part are passed on in the chunks in which they arrived. A chunk is cut only where a part begins
 * or ends, or where its last bytes may be the beginning of a delimiter.
 */
export class FormParts {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  // A delimiter begins with a line end, which is missing at the very beginning of a body.
  #unread: Buffer = Buffer.from(LINE_END);
  #isInPart = true;
  #isBeforeFirstPart = true;

  /** @throws Failure `invalid` when the Content-Type has no boundary */
  constructor(contentType: string, chunks: AsyncIterator<Uint8Array>) {
    const boundary = findParameter(contentType, 'boundary') ?? '';
    if (boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH)
      throw malformed('It has no valid boundary.');
    this.#chunks = chunks;
    this.#delimiter = Buffer.from(`${LINE_END}--${boundary}`, 'latin1');
  }

  /**
   * Skips the rest of the current part and returns the head of the next one. Returns undefined after the last
   * part, when the whole body has been read.
   * @throws Failure `invalid`
   */
  async next(): Promise<PartHead | undefined> {
    await this.#skipPart();
    if ((await this.#readAhead(CLOSING.length)) === CLOSING) {
      await this.#skipEpilogue();
      return undefined;
    }
    const end = await this.#findHeadEnd();
    const head = this.#unread.subarray(0, end);
    // Decoding anything but UTF-8 would replace characters in the name of the file.
    if (!isUtf8(head)) throw malformed('The head of a part is not UTF-8.');
    this.#unread = this.#unread.subarray(end + HEAD_END.length);
    this.#isInPart = true;
    return parsePartHead(head.toString());
  }

  /**
   * The bytes of the current part. May be read once.
   * @throws Failure `invalid` when the body ends before the part does
   */
  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    while (this.#isInPart) {
      const end = this.#unread.indexOf(this.#delimiter);
      const isEnd = end >= 0;
      const size = isEnd ? end : this.#findDelimiterStart();
      const bytes = this.#unread.subarray(0, size);
      this.#unread = this.#unread.subarray(isEnd ? size + this.#delimiter.length : size);
      this.#isInPart = !isEnd;
      if (bytes.length > 0) yield bytes;
      if (!isEnd) yield* this.#readOn();
    }
  }

  /** Reads the next chunk. Yields the unread bytes if they only looked like the beginning of a delimiter. */
  async *#readOn(): AsyncGenerator<Uint8Array, void, undefined> {
    const start = this.#unread;
    this.#unread = await this.#nextChunk();
    if (start.length === 0) return;
    const next = this.#unread.subarray(0, this.#delimiter.length - start.length);
    const joined = Buffer.concat([start, next]);
    if (joined.equals(this.#delimiter.subarray(0, joined.length))) {
      this.#unread = Buffer.concat([start, this.#unread]);
    } else yield start;
  }

  async #skipPart(): Promise<void> {
    let skippedBytes = 0;
    for await (const chunk of this.bytes()) {
      skippedBytes += chunk.byteLength;
      if (this.#isBeforeFirstPart && skippedBytes > MAX_SURROUNDING_BYTES) throw malformed();
    }
    this.#isBeforeFirstPart = false;
  }

  async #skipEpilogue(): Promise<void> {
    for (let skippedBytes = this.#unread.length; skippedBytes <= MAX_SURROUNDING_BYTES; ) {
      const next = await this.#chunks.next();
      if (next.done === true) return;
      skippedBytes += next.value.byteLength;
    }
    throw malformed();
  }

  /**
   * Where a delimiter may begin whose rest has not arrived. A boundary has no carriage return, so it can only
   * be the last one.
   */
  #findDelimiterStart(): number {
    const { length } = this.#unread;
    const at = this.#unread.lastIndexOf(CARRIAGE_RETURN);
    const isStart =
      at >= 0 &&
      length - at < this.#delimiter.length &&
      this.#unread.subarray(at).equals(this.#delimiter.subarray(0, length - at));
    return isStart ? at : length;
  }

  async #findHeadEnd(): Promise<number> {
    for (let from = 0; ; ) {
      const end = this.#unread.indexOf(HEAD_END, from);
      if (end >= 0 && end <= MAX_HEAD_BYTES) return end;
      if (end >= 0 || this.#unread.length > MAX_HEAD_BYTES)
        throw malformed('The head of a part is too long.');
      from = Math.max(0, this.#unread.length - HEAD_END.length);
      this.#unread = Buffer.concat([this.#unread, await this.#nextChunk()]);
    }
  }

  /** Returns the next characters without consuming them. */
  async #readAhead(length: number): Promise<string> {
    while (this.#unread.length < length) {
      this.#unread = Buffer.concat([this.#unread, await this.#nextChunk()]);
    }
    return this.#unread.toString('latin1', 0, length);
  }

  async #nextChunk(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next();
    if (done === true) throw malformed('It has no end.');
    return value instanceof Buffer ? value : Buffer.from(value);
  }
}
