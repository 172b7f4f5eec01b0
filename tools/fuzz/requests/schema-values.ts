// Values from a JSON schema: valid ones, and those at and just beyond its limits.
import type { Schema } from './operations.ts';
import type { Random } from './random.ts';

/** Returns a valid value for a text member by its name; undefined if any text will do. */
type TextFor = (name: string) => string | undefined;

const MAX_WORD = 12;

/** @param name the name of the member, which says more about a text than its schema */
export function validValue(schema: Schema, name: string, random: Random, textFor: TextFor): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.anyOf !== undefined) return validValue(random.pick(schema.anyOf), name, random, textFor);
  const types = typesOf(schema);
  // Null only rarely, because it usually means the default.
  const type =
    types.length > 1 && random.chance(90) ? types.find((one) => one !== 'null') : random.pick(types);
  if (type === 'null') return null;
  if (type === 'boolean') return random.chance(50);
  if (type === 'integer' || type === 'number') return validNumber(schema, random);
  if (type === 'array') {
    const count = Math.max(schema.minItems ?? 0, random.between(0, 3));
    return Array.from({ length: count }, () => validValue(schema.items ?? {}, name, random, textFor));
  }
  if (type === 'object') return validObject(schema, random, textFor);
  return textFor(name) ?? random.word(Math.max(schema.minLength ?? 0, MAX_WORD));
}

function validObject({ properties = {}, required = [] }: Schema, random: Random, textFor: TextFor): unknown {
  const members = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(60));
  return Object.fromEntries(
    members.map(([name, member]) => [name, validValue(member, name, random, textFor)]),
  );
}

function validNumber({ minimum = 0, maximum = 2 ** 40 }: Schema, random: Random): number {
  return random.chance(20) ? random.pick([minimum, maximum]) : minimum + random.below(Math.min(100, maximum));
}

/** Values on both sides of every limit of the schema. */
export function borderValues(schema: Schema): readonly unknown[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const lengths = [minLength, maxLength].flatMap(around).filter((length) => length >= 0);
  return [
    ...[minimum, maximum].flatMap(around),
    ...lengths.flatMap((length) => ['a'.repeat(length), '𝒳'.repeat(length), '\u0301'.repeat(length)]),
    ...[minItems, maxItems]
      .flatMap(around)
      .flatMap((length) => (length < 0 ? [] : [Array(length).fill(null)])),
    ...(pattern === undefined ? [] : ['a', 'A'.repeat(36), '-'.repeat(36)]),
    ...(schema.enum ?? []).flatMap((value) => [`${value}`.toLowerCase(), `${value} `, `${value}`.slice(1)]),
    ...(schema.anyOf ?? []).flatMap(borderValues),
  ];
}

export function typesOf({ type, properties }: Schema): readonly string[] {
  if (type === undefined) return [properties === undefined ? 'string' : 'object'];
  return typeof type === 'string' ? [type] : type;
}

function around(limit: number | undefined): readonly number[] {
  return limit === undefined ? [] : [limit - 1, limit, limit + 1];
}
