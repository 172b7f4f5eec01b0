// Valid requests: from recipes, schemas, and what the service has answered before.
import type { Draft, DraftBody, FormPart, Role } from './draft.ts';
import type { KnownValues } from './known-values.ts';
import type { OddValues } from './odd-values.ts';
import type { Operation, Schema } from './operations.ts';
import type { Random } from './random.ts';
import { RECIPES, SOURCES, textFor } from './recipes.ts';
import { validValue } from './schema-values.ts';

export interface DraftContext {
  readonly random: Random;
  readonly odd: OddValues;
  readonly known: KnownValues;
}

/** A request that the service should accept, as far as the fuzzer knows. */
export function draftValidRequest(operation: Operation, role: Role, context: DraftContext): Draft {
  const { random, known } = context;
  const texts = (name: string) => textFor(name, { random, known, role });
  const valueFor = (name: string, schema: Schema) => {
    const source = SOURCES.find(([url, names]) => url.test(operation.url) && names.test(name));
    const value = source && known.use(source[2], role, (found) => found[source[3]]);
    return value ?? validValue(schema, name, random, texts);
  };
  const path: Record<string, string> = {};
  const query: (readonly [string, string])[] = [];
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path') path[parameter.name] = `${valueFor(parameter.name, parameter.schema)}`;
    else if (parameter.required === true || random.chance(30)) {
      // A long poll would only wait.
      const value = parameter.name === 'waitSeconds' ? 0 : valueFor(parameter.name, parameter.schema);
      query.push([parameter.name, `${value}`]);
    }
  }
  return {
    operation,
    role,
    method: operation.method,
    path,
    query,
    headers: [],
    body: draftBody(operation, random, valueFor),
    ...RECIPES[operation.name]?.({ random, known, role }),
  };
}

function draftBody(
  { bodies }: Operation,
  random: Random,
  valueFor: (name: string, schema: Schema) => unknown,
): DraftBody | undefined {
  const types = Object.keys(bodies);
  if (types.length === 0) return undefined;
  const type = random.pick(types);
  const value = withKnown(bodies[type] ?? {}, random, valueFor);
  if (type === 'application/json') return { kind: 'json', value };
  if (type === 'application/octet-stream') {
    return { kind: 'bytes', contentType: type, bytes: random.bytes(random.below(40)) };
  }
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return { kind: 'form', parts: members.map(([name, member]) => toPart(name, member)) };
}

/** An object whose members are taken from earlier answers where they have a source. */
function withKnown(
  schema: Schema,
  random: Random,
  valueFor: (name: string, schema: Schema) => unknown,
): unknown {
  if (schema.properties === undefined) return valueFor('', schema);
  const { properties, required = [] } = schema;
  const members = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(60));
  return Object.fromEntries(members.map(([name, member]) => [name, valueFor(name, member)]));
}

function toPart(name: string, value: unknown): FormPart {
  const content = `${value}`;
  return name === 'file' ? { name, fileName: `${content}.txt`, content } : { name, content };
}
