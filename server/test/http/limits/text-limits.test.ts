// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';

/** A JSON schema, as far as it is walked. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: boolean | Shape;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Shape }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const { anonymous } = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
const description: Description = JSON.parse(await (await anonymous.fetch('GET', '/api/openapi.json')).text());

test('every text of a request has a limit in its schema', () => {
  const unlimited: string[] = [];
  let texts = 0;
  for (const [url, operations] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      for (const [place, shape] of requestShapesOf(operation)) {
        for (const text of textsOf(shape, place)) {
          texts += 1;
          if (text.shape.maxLength === undefined) unlimited.push(`${method} ${url}: ${text.place}`);
        }
      }
    }
  }
  assert.deepEqual(unlimited, []);
  assert.ok(texts > 80, `only ${texts} texts were found`);
});

test('a text without a limit is found wherever it is in a schema', () => {
  const text = { type: 'string' };
  const shape: Shape = {
    properties: { a: text, b: { type: ['string', 'null'] }, c: { items: { properties: { d: text } } } },
    anyOf: [text],
    patternProperties: { '^.*$': text },
  };
  const found = [...textsOf(shape, 'body')].map(({ place }) => place);
  assert.deepEqual(found, ['body.a', 'body.b', 'body.c[].d', 'body.*', 'body']);
});

function requestShapesOf({ parameters = [], requestBody }: Operation): readonly (readonly [string, Shape])[] {
  return [
    ...parameters.map(({ in: place, name, schema }) => [`${place} ${name}`, schema] as const),
    ...Object.values(requestBody?.content ?? {}).map(({ schema }) => ['body', schema] as const),
  ];
}

/** All texts of a schema but those with fixed values and the bytes of files. */
function* textsOf(shape: Shape, place: string): Generator<{ place: string; shape: Shape }> {
  const isText = [shape.type].flat().includes('string');
  if (isText && shape.enum === undefined && shape.const === undefined && shape.format !== 'binary') {
    yield { place, shape };
  }
  for (const [name, member] of Object.entries(shape.properties ?? {}))
    yield* textsOf(member, `${place}.${name}`);
  if (shape.items !== undefined) yield* textsOf(shape.items, `${place}[]`);
  const { additionalProperties: more } = shape;
  const others = [
    ...Object.values(shape.patternProperties ?? {}),
    ...(typeof more === 'object' ? [more] : []),
  ];
  for (const other of others) yield* textsOf(other, `${place}.*`);
  for (const choice of [shape.anyOf, shape.oneOf, shape.allOf].flatMap((list) => list ?? []))
    yield* textsOf(choice, place);
}
