// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';

/** The part of a JSON schema that these tests read. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: boolean | Shape;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Shape }>>;
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Shape }[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const { anonymous } = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
const description: Description = JSON.parse(await (await anonymous.fetch('GET', '/api/openapi.json')).text());

interface Placed {
  /** Where the schema is used, such as `body.files[].name`. */
  readonly place: string;
  readonly shape: Shape;
}

const operations = Object.entries(description.paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${url}`, operation })),
);

test('every text of a request has a limit in its schema', () => {
  const texts = operations.flatMap(({ name, operation }) =>
    requestShapesOf(operation).flatMap((placed) => [...partsOf(placed)].filter(isText).map(named(name))),
  );
  assert.deepEqual(unlimited(texts, 'maxLength'), []);
  assert.ok(texts.length > 80, `only ${texts.length} texts were found`);
});

test('every list of an answer has pages or a maximum: a limit in its schema', () => {
  const lists = operations.flatMap(({ name, operation }) =>
    responseShapesOf(operation).flatMap((placed) => [...partsOf(placed)].filter(isList).map(named(name))),
  );
  assert.deepEqual(unlimited(lists, 'maxItems'), []);
  assert.ok(lists.length > 40, `only ${lists.length} lists were found`);
});

test('a part without a limit is found anywhere in a schema', () => {
  const text = { type: 'string' };
  const shape: Shape = {
    properties: {
      a: text,
      b: { type: ['string', 'null'] },
      c: { type: 'array', items: { properties: { d: text } } },
    },
    anyOf: [text],
    patternProperties: { '^.*$': text },
  };
  const parts = [...partsOf({ place: 'body', shape })];
  const placesOf = (found: readonly Placed[]) => found.map(({ place }) => place);
  assert.deepEqual(placesOf(parts.filter(isText)), ['body.a', 'body.b', 'body.c[].d', 'body.*', 'body']);
  assert.deepEqual(placesOf(parts.filter(isList)), ['body.c']);
});

function requestShapesOf({ parameters = [], requestBody = {} }: Operation): readonly Placed[] {
  return [
    ...parameters.map(({ in: place, name, schema }) => ({ place: `${place} ${name}`, shape: schema })),
    ...shapesOf('body', requestBody),
  ];
}

function responseShapesOf({ responses = {} }: Operation): readonly Placed[] {
  return Object.entries(responses).flatMap(([status, response]) => shapesOf(status, response));
}

function shapesOf(place: string, { content = {} }: Content): readonly Placed[] {
  return Object.values(content).flatMap(({ schema }) =>
    schema === undefined ? [] : [{ place, shape: schema }],
  );
}

/** Whether it is free text: no fixed values, and not the bytes of a file. */
function isText({ shape }: Placed): boolean {
  const isAny = shape.enum === undefined && shape.const === undefined && shape.format !== 'binary';
  return isAny && [shape.type].flat().includes('string');
}

function isList({ shape }: Placed): boolean {
  return [shape.type].flat().includes('array');
}

function named(operation: string): (placed: Placed) => Placed {
  return ({ place, shape }) => ({ place: `${operation}: ${place}`, shape });
}

function unlimited(parts: readonly Placed[], limit: 'maxLength' | 'maxItems'): readonly string[] {
  return parts.filter(({ shape }) => shape[limit] === undefined).map(({ place }) => place);
}

/** Lists a schema and all schemas inside it. */
function* partsOf({ place, shape }: Placed): Generator<Placed> {
  yield { place, shape };
  for (const [name, member] of Object.entries(shape.properties ?? {})) {
    yield* partsOf({ place: `${place}.${name}`, shape: member });
  }
  if (shape.items !== undefined) yield* partsOf({ place: `${place}[]`, shape: shape.items });
  const { additionalProperties: more } = shape;
  const others = [
    ...Object.values(shape.patternProperties ?? {}),
    ...(typeof more === 'object' ? [more] : []),
  ];
  for (const other of others) yield* partsOf({ place: `${place}.*`, shape: other });
  for (const choice of [shape.anyOf, shape.oneOf, shape.allOf].flatMap((list) => list ?? [])) {
    yield* partsOf({ place, shape: choice });
  }
}
