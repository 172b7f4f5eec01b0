// Values that no correct client sends. fast-check generates most of them.
import fc from 'fast-check';
import { anyCharacter } from '../../../server/test/support/text/any-character.ts';
import type { Random } from './random.ts';

/** How many values of each kind are generated at once. */
const BATCH = 500;

/** Longer than most limits, so these values also test that the length is checked first. */
const LONG = 5_000;

/** Texts that break programs: separators, encodings, empty, invisible, and very long text. */
const KNOWN_TEXTS: readonly string[] = [
  ...['', ' ', '\t', '.', '..', '...', '/', '//', '\\', '/../', '../../etc/passwd', '%', '%00', '%2e%2e%2f'],
  ...['\u0000', 'a\u0000b', '\n', '\r\nX-Injected: yes', '\u007f', '\u0085', '\u001b[2J', '\u200b', '\ufeff'],
  ...['\ud800', 'a\udc00b', '\udfff\ud800', '\ud83d', '\ufffe', '\uffff', '\u202egpj.exe', '\u2028'],
  ...['é', 'e\u0301', 'ﬁ', 'İ', 'ı', 'ß', 'ẞ', 'Å', '𝒳', '👨‍👩‍👧', 'ａ', '\u0430dmin', '\u{10ffff}'],
  ...[
    "'",
    '"',
    "' or 1=1 --",
    ';drop table account',
    '%_',
    '\\%',
    '*',
    '?',
    'a*b?c',
    '(',
    '[',
    '{}',
    '$(7*7)',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'true',
    'NaN',
    'Infinity',
  ],
  ...[
    '0',
    '-0',
    '-1',
    '00',
    '0x10',
    '1e3',
    '1e309',
    '1.5',
    ' 5',
    '+5',
    '٣',
    '2147483648',
    '9007199254740992',
  ],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '1'.repeat(400)],
  ...['2026-13-45', '2026-02-30T25:61:00Z', '0000-01-01', '+275760-09-13T00:00:00.001Z', '-271821-04-20'],
  ...[
    'http://127.0.0.1:1/',
    'http://[::1',
    'http://user:pass@127.0.0.1:1',
    'file:///etc/passwd',
    'javascript:1',
  ],
  ...['a'.repeat(127), 'a'.repeat(129), 'a'.repeat(255), 'a'.repeat(256), 'é'.repeat(128), '/d'.repeat(200)],
  ...[
    'a'.repeat(LONG),
    `a${'\u0301'.repeat(LONG)}`,
    '/'.repeat(LONG),
    ' '.repeat(LONG),
    '𝒳'.repeat(LONG / 2),
  ],
  ...['\ud800'.repeat(LONG), 'a@'.repeat(LONG / 2), '-'.repeat(LONG), `${'a.'.repeat(LONG / 2)}!`],
  ...['11111111-1111-1111-1111-111111111111', '00000000-0000-0000-0000-000000000000', '{{7*7}}', '<b>&amp;'],
];

const KNOWN_NUMBERS: readonly number[] = [
  ...[
    0,
    -0,
    -1,
    0.5,
    1e21,
    1e308,
    5e-324,
    2 ** 31,
    2 ** 32,
    -(2 ** 31) - 1,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 63,
    2 ** 64,
  ],
];

/** A character as it appears in the path of a URL (RFC 3986, section 3.3). */
const urlPart = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(..."abcyzABCYZ0189-._~!$&'()*+,;=:@/") },
  { weight: 1, arbitrary: anyCharacter.map(encodeURIComponent) },
);

const text = fc.oneof(
  fc.constantFrom(...KNOWN_TEXTS),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  // All UTF-16 code units, so that most texts have lone surrogates.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((units) => String.fromCharCode(...units)),
  fc.string({ unit: urlPart, maxLength: 40 }).map((path) => `http://127.0.0.1:1/${path}`),
);

const number = fc.oneof(
  fc.constantFrom(...KNOWN_NUMBERS),
  fc.maxSafeInteger(),
  fc.integer({ min: -3, max: 30 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const json = fc.oneof(
  text,
  number,
  fc.constantFrom(null, true, false),
  fc.array(fc.oneof(text, number), { maxLength: 5 }),
  fc.dictionary(text, fc.oneof(text, number), { maxKeys: 4 }),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Values from fast-check, in an order determined by the seed. */
export class OddValues {
  readonly #random: Random;
  readonly #batches = new Map<fc.Arbitrary<unknown>, unknown[]>();

  constructor(random: Random) {
    this.#random = random;
  }

  text(): string {
    return this.#next(text);
  }

  number(): number {
    return this.#next(number);
  }

  json(): unknown {
    return this.#next(json);
  }

  #next<T>(arbitrary: fc.Arbitrary<T>): T {
    let batch = this.#batches.get(arbitrary) as T[] | undefined;
    if (batch === undefined || batch.length === 0) {
      batch = fc.sample(arbitrary, { seed: this.#random.below(2 ** 31), numRuns: BATCH });
      this.#batches.set(arbitrary, batch);
    }
    return batch.pop() as T;
  }
}
