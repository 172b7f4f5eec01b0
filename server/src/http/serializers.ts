import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import buildSerializer from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';

/** Shorter lists are serialized in one piece, which is faster and takes a few milliseconds at most. */
const MAX_WHOLE_ITEMS = 100;
/** Even if each character takes three bytes, this is less than 64 KiB. */
const PIECE_CHARACTERS = 16 * 1024;
const PIECE_BYTES = 64 * 1024;

type Serialize = (value: unknown) => string;
type Schema = Readonly<Record<string, unknown>>;

/**
 * Sets up the serialization of responses. A response contains only the members of its schema. Each schema is
 * compiled at its first response: compiling all of them at the start would take a tenth of a second.
 *
 * Long lists are serialized item by item. If they take more than 64 KiB, the response is a stream of pieces.
 * Each piece is serialized in a separate turn of the event loop, when the client is ready for it.
 */
export function useSerializers(server: FastifyInstance): void {
  server.setSerializerCompiler(({ schema }) => {
    let serialize: Serialize | undefined;
    const items = new ItemSerializers(schema as Schema);
    const serializeAnswer = (value: unknown) => {
      serialize ??= build(schema as Schema);
      const list = findLongList(value);
      const serializeItem = list && items.find(list.name);
      if (list === undefined || serializeItem === undefined) return serialize(value);
      const frame = serialize(list.withoutItems);
      const at = frame.indexOf(list.place);
      const [head, tail] = [frame.slice(0, at), frame.slice(at + list.place.length)];
      return joinOrStream(toPieces(list, serializeItem, { head, tail }));
    };
    // The type is wrong but harmless: Fastify sends whatever the serializer returns, even a stream.
    return serializeAnswer as (value: unknown) => string;
  });
}

interface LongList {
  /** The name of the list in `data`; undefined if `data` itself is the list. */
  readonly name: string | undefined;
  readonly items: readonly unknown[];
  readonly withoutItems: unknown;
  /** The text of the empty list. It occurs only once: in a string its quotes would be escaped. */
  readonly place: string;
}

/** The longest list in the `data` of an answer; undefined if none is long. */
function findLongList(answer: unknown): LongList | undefined {
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return undefined;
  const { data } = answer;
  if (typeof data !== 'object' || data === null) return undefined;
  if (Array.isArray(data)) {
    if (data.length <= MAX_WHOLE_ITEMS) return undefined;
    return { name: undefined, items: data, withoutItems: { ...answer, data: [] }, place: '"data":[]' };
  }
  let longest: { name: string; items: readonly unknown[] } | undefined;
  for (const [name, value] of Object.entries(data)) {
    if (!Array.isArray(value) || value.length <= MAX_WHOLE_ITEMS) continue;
    if (longest === undefined || value.length > longest.items.length) longest = { name, items: value };
  }
  if (longest === undefined) return undefined;
  const withoutItems = { ...answer, data: { ...data, [longest.name]: [] } };
  return { ...longest, withoutItems, place: `${JSON.stringify(longest.name)}:[]` };
}

/** Serializers for the items of each list in an answer's `data`, compiled at their first use. */
class ItemSerializers {
  readonly #schema: Schema;
  readonly #serializers = new Map<string | undefined, Serialize | undefined>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  /** Undefined if the schema does not say what the items are. */
  find(name: string | undefined): Serialize | undefined {
    if (!this.#serializers.has(name)) this.#serializers.set(name, this.#build(name));
    return this.#serializers.get(name);
  }

  #build(name: string | undefined): Serialize | undefined {
    const data = findProperty(this.#schema, 'data');
    const list = data && (name === undefined ? data : findProperty(data, name));
    const items = list?.items;
    return typeof items === 'object' && items !== null ? build(items as Schema) : undefined;
  }
}

function findProperty({ properties }: Schema, name: string): Schema | undefined {
  return (properties as Readonly<Record<string, Schema>> | undefined)?.[name];
}

function build(schema: Schema): Serialize {
  // The compiler gets schemas that TypeBox has made.
  return buildSerializer(schema as unknown as Parameters<typeof buildSerializer>[0]);
}

function* toPieces(
  { items, place }: LongList,
  serializeItem: Serialize,
  { head, tail }: { readonly head: string; readonly tail: string },
): Generator<string> {
  let piece = `${head}${place.slice(0, -1)}`;
  let separator = '';
  for (const item of items) {
    piece += separator + serializeItem(item);
    separator = ',';
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]${tail}`;
}

/** Joins the pieces into one text if it is short, otherwise streams them. */
function joinOrStream(pieces: Iterator<string>): string | Readable {
  let text = '';
  for (let next = pieces.next(); ; next = pieces.next()) {
    if (next.done === true) return text;
    text += next.value;
    if (text.length >= PIECE_BYTES) break;
  }
  return Readable.from(toChunks(text, pieces), { objectMode: false, highWaterMark: PIECE_BYTES });
}

async function* toChunks(first: string, pieces: Iterator<string>): AsyncGenerator<Buffer> {
  for (let text: string | undefined = first; text !== undefined; text = pieces.next().value) {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
      yield bytes.subarray(start, start + PIECE_BYTES);
      await setImmediate();
    }
  }
}
