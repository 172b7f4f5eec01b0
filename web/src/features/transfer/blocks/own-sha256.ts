// SHA-256 (FIPS 180-4), for pages that came without TLS: there the browser keeps its own from them.

const ROUND_COUNT = 64;
const CHUNK_BYTES = 64;
const LENGTH_BYTES = 8;

const PRIMES = firstPrimes(ROUND_COUNT);
/** The first bits behind the point of the roots of the first primes: square roots to begin with, cube roots by round. */
const BEGINNING = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));
const ROUNDS = Uint32Array.from(PRIMES, (prime) => fractionBits(Math.cbrt(prime)));

export function ownSha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = Uint32Array.from(BEGINNING);
  const schedule = new Uint32Array(ROUND_COUNT);
  const whole = bytes.length - (bytes.length % CHUNK_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += CHUNK_BYTES) mix(state, schedule, view, at);
  const tail = padTail(bytes.subarray(whole), bytes.length);
  for (let at = 0; at < tail.byteLength; at += CHUNK_BYTES) mix(state, schedule, tail, at);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word);
  return new Uint8Array(digest.buffer);
}

function padTail(rest: Uint8Array, length: number): DataView {
  const chunks = rest.length + 1 + LENGTH_BYTES > CHUNK_BYTES ? 2 : 1;
  const padded = new Uint8Array(chunks * CHUNK_BYTES);
  padded.set(rest);
  padded[rest.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - LENGTH_BYTES, BigInt(length) * 8n);
  return view;
}

function mix(state: Uint32Array, schedule: Uint32Array, view: DataView, at: number): void {
  for (let index = 0; index < 16; index += 1) schedule[index] = view.getUint32(at + index * 4);
  for (let index = 16; index < ROUND_COUNT; index += 1) {
    const early = schedule[index - 15] ?? 0;
    const late = schedule[index - 2] ?? 0;
    const smallEarly = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const smallLate = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    schedule[index] = (schedule[index - 16] ?? 0) + smallEarly + (schedule[index - 7] ?? 0) + smallLate;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < ROUND_COUNT; index += 1) {
    const largeLate = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + largeLate + choice + (ROUNDS[index] ?? 0) + (schedule[index] ?? 0)) | 0;
    const largeEarly = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (largeEarly + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fractionBits(root: number): number {
  return ((root % 1) * 2 ** 32) >>> 0;
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}
