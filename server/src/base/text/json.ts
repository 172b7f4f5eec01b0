type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/**
 * Whether the arrays and objects of a JSON value are nested more than `levels` deep. It works level by level:
 * a recursive function, such as `JSON.stringify`, overflows the stack on values that `JSON.parse` accepts.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; ; depth += 1) {
    const nested = level.filter((part) => typeof part === 'object' && part !== null);
    if (nested.length === 0) return false;
    if (depth === levels) return true;
    level = nested.flatMap((part) => Object.values(part as object));
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_ARRAY = 0x5b;
const OPENING_OBJECT = 0x7b;

/**
 * Whether JSON text has more values than `maxValues`. `JSON.parse` takes a tenth of a second for a megabyte
 * of small values, which this counts in a few milliseconds. Text in quotes is skipped: long texts are cheap.
 */
export function hasMoreValues(json: Uint8Array, maxValues: number): boolean {
  let values = 1;
  for (let place = 0; place < json.length; place += 1) {
    const byte = json[place];
    if (byte === QUOTE) place = endOfText(json, place);
    else if (byte === COMMA || byte === COLON || byte === OPENING_ARRAY || byte === OPENING_OBJECT) {
      values += 1;
      if (values > maxValues) return true;
    }
  }
  return false;
}

/** The place of the quote that ends the text; the end of the JSON if none does. */
function endOfText(json: Uint8Array, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = json.indexOf(QUOTE, from);
    if (quote < 0) return json.length;
    let escapes = 0;
    while (json[quote - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return quote;
    from = quote + 1;
  }
}
