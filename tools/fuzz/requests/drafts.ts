// Valid requests: examples with values from earlier responses, varied as far as the schemas allow.
import type { ExampleRequest } from '../../../server/src/http/operation.ts';
import type { Draft, DraftBody, FormPart, Role } from './draft.ts';
import { EXAMPLE_VALUES, replacementsFor } from './example-values.ts';
import type { KnownValues } from './known-values.ts';
import type { OddValues } from './odd-values.ts';
import type { Operation, Schema } from './operations.ts';
import type { Random } from './random.ts';
import { RECIPES, textFor } from './recipes.ts';
import { typesOf, validValue } from './schema-values.ts';

export interface DraftContext {
  readonly random: Random;
  readonly odd: OddValues;
  readonly known: KnownValues;
}

/** A request that the service should accept, as far as the fuzzer knows. */
export function draftValidRequest(operation: Operation, role: Role, context: DraftContext): Draft {
  const variation = new Variation(operation, role, context);
  return {
    operation,
    role,
    method: operation.method,
    path: variation.path(),
    query: variation.query(),
    headers: variation.headers(),
    body: variation.body(),
    // HEAD is served like its GET.
    ...RECIPES[operation.name.replace(/^HEAD /, 'GET ')]?.({ ...context, role }),
  };
}

/** Derives the parts of a request from those of an example. */
class Variation {
  readonly #operation: Operation;
  readonly #example: ExampleRequest;
  readonly #replacements: ReadonlyMap<unknown, unknown>;
  readonly #random: Random;
  readonly #texts: (name: string) => string | undefined;

  constructor(operation: Operation, role: Role, context: DraftContext) {
    this.#operation = operation;
    this.#example = operation.example ?? {};
    this.#replacements = replacementsFor(this.#example, role, context);
    this.#random = context.random;
    this.#texts = (name) => textFor(name, { ...context, role });
  }

  path(): Draft['path'] {
    const values = new Map<string, unknown>(Object.entries(this.#example.path ?? {}));
    const parameters = this.#operation.parameters.filter(({ in: place }) => place === 'path');
    const made = parameters.map(({ name, schema }) => [
      name,
      `${this.#value(name, schema, values.get(name))}`,
    ]);
    return Object.fromEntries(made);
  }

  query(): Draft['query'] {
    const values = new Map<string, unknown>(Object.entries(this.#example.query ?? {}));
    const described = this.#operation.parameters.filter(({ in: place }) => place === 'query');
    return described.flatMap(({ name, required = false, schema }) => {
      // A long poll would only wait.
      if (name === 'waitSeconds') return [[name, '0'] as const];
      if (!this.#hasMember(values.has(name), required)) return [];
      return [[name, `${this.#value(name, schema, values.get(name))}`] as const];
    });
  }

  headers(): Draft['headers'] {
    return Object.entries(this.#example.headers ?? {})
      .filter(([name]) => this.#example.bytes === undefined || name !== 'content-type')
      .map(([name, value]) => [name, `${this.#texts(name) ?? this.#replacements.get(value) ?? value}`]);
  }

  body(): DraftBody | undefined {
    const { bytes, form, body, headers } = this.#example;
    const { bodies } = this.#operation;
    if (bytes !== undefined) {
      const contentType = headers?.['content-type'] ?? 'application/octet-stream';
      return { kind: 'bytes', contentType, bytes: Buffer.from(bytes) };
    }
    if (form !== undefined) {
      const fields = this.#object(bodies['multipart/form-data'] ?? {}, form);
      return { kind: 'form', parts: Object.entries(fields).map(([name, value]) => this.#part(name, value)) };
    }
    const schema = bodies['application/json'];
    if (schema === undefined && body === undefined) return undefined;
    return { kind: 'json', value: this.#value('', schema ?? {}, body) };
  }

  /** A value that means the same to the service as that of the example. */
  #value(name: string, schema: Schema, value: unknown): unknown {
    if (EXAMPLE_VALUES.has(value)) return this.#replacements.get(value) ?? value;
    // The name in the example is already taken after the first request.
    if (name === 'filename') return this.#texts(name);
    if (Array.isArray(value)) return value.map((item) => this.#value(name, schema.items ?? {}, item));
    if (typeof value === 'object' && value !== null) return this.#object(schema, value);
    if (value === undefined) return validValue(schema, name, this.#random, this.#texts);
    // Numbers stay, because they depend on each other, such as a size and the bytes. Most texts are paths, so
    // they rarely change.
    const isChoice = schema.enum !== undefined || typesOf(schema).includes('boolean');
    if (typeof value === 'number' || !this.#random.chance(isChoice ? 50 : 15)) return value;
    return validValue(schema, name, this.#random, this.#texts);
  }

  /** An object without some optional members of the example, and with some that the example lacks. */
  #object(schema: Schema, example: object): Readonly<Record<string, unknown>> {
    const values = new Map<string, unknown>(Object.entries(example));
    const { properties = {}, required = [...values.keys()] } = schema;
    const names = Object.keys({ ...properties, ...example });
    const chosen = names.filter((name) => this.#hasMember(values.has(name), required.includes(name)));
    return Object.fromEntries(
      chosen.map((name) => [name, this.#value(name, properties[name] ?? {}, values.get(name))]),
    );
  }

  #hasMember(isInExample: boolean, isRequired: boolean): boolean {
    return isRequired || this.#random.chance(isInExample ? 70 : 20);
  }

  #part(name: string, value: unknown): FormPart {
    const content = `${value}`;
    return name === 'file' ? { name, fileName: `${this.#texts('filename')}`, content } : { name, content };
  }
}
