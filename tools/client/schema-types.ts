// Converts JSON schemas of the service to TypeScript types.

/** A JSON schema, as far as the service uses it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly description?: string;
}

/** Finds the name of the type for an object schema; undefined if it has none. */
export type FindName = (schema: JsonSchema) => string | undefined;

const SCALARS: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
};

/** The type of the values that a schema allows. */
export function toType(schema: JsonSchema, findName: FindName): string {
  const literals = schema.const === undefined ? schema.enum : [schema.const];
  if (literals !== undefined) return union(literals.map((value) => toLiteral(value)));
  if (schema.anyOf !== undefined) return union(schema.anyOf.map((one) => toType(one, findName)));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return 'unknown';
  return union(types.map((type) => toTypeOf(type, schema, findName)));
}

/** The members of an object type, one per line, with their descriptions. */
export function toMembers(schema: JsonSchema, findName: FindName): string {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, member]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
      // Optional members accept undefined, so that callers can build their objects in one expression.
      const type = toType(member, findName);
      const optional = required.has(name) || type === 'unknown' ? '' : ' | undefined';
      const mark = required.has(name) ? '' : '?';
      return `${toComment(member.description)}readonly ${key}${mark}: ${type}${optional};`;
    })
    .join('\n');
}

function toComment(text: string | undefined): string {
  if (text === undefined) return '';
  return `/** ${text.charAt(0).toUpperCase()}${text.slice(1).replaceAll('*/', '* /')}${text.endsWith('.') ? '' : '.'} */\n`;
}

/**
 * A key that is equal for schemas that allow the same objects. It ignores limits, descriptions, and details
 * that the OpenAPI document expresses differently.
 */
export function shapeOf(schema: JsonSchema): string {
  return JSON.stringify(toShape(schema));
}

function toShape(schema: JsonSchema): unknown {
  const { anyOf, items, properties, required, additionalProperties, patternProperties = {} } = schema;
  const literals = schema.const === undefined ? schema.enum : [schema.const];
  if (literals !== undefined) return ['enum', ...literals];
  if (anyOf !== undefined) return ['anyOf', ...anyOf.map(toShape)];
  const members = Object.entries(properties ?? {})
    .map(([name, member]) => [name, required?.includes(name) === true, toShape(member)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    schema.type,
    members,
    items === undefined ? null : toShape(items),
    // The document has `additionalProperties` where a server schema has a pattern that matches all names.
    ...[additionalProperties, ...Object.values(patternProperties)]
      .filter((values) => typeof values === 'object')
      .map(toShape),
  ];
}

function toTypeOf(type: string, schema: JsonSchema, findName: FindName): string {
  if (type === 'array') return `readonly ${parenthesized(toType(schema.items ?? {}, findName))}[]`;
  if (type !== 'object') return SCALARS[type] ?? 'unknown';
  const plain = { ...schema, type: 'object' };
  const name = findName(plain);
  if (name !== undefined) return name;
  const item = itemOfPage(plain);
  if (item !== undefined) return `Page<${toType(item, findName)}>`;
  const values = valuesOf(plain);
  if (values !== undefined) return `Readonly<Record<string, ${toType(values, findName)}>>`;
  return `{\n${toMembers(plain, findName)}\n}`;
}

/** The schema of a dictionary's values; undefined for an object with fixed members. */
function valuesOf({
  properties,
  additionalProperties,
  patternProperties,
}: JsonSchema): JsonSchema | undefined {
  if (Object.keys(properties ?? {}).length > 0) return undefined;
  const [pattern] = Object.values(patternProperties ?? {});
  if (pattern !== undefined) return pattern;
  return typeof additionalProperties === 'object' ? additionalProperties : {};
}

/** The schema of the items if the object is a page; undefined for any other object. */
function itemOfPage({ properties = {} }: JsonSchema): JsonSchema | undefined {
  return Object.keys(properties).join() === 'items,total,page,size' ? properties.items?.items : undefined;
}

function toLiteral(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function parenthesized(type: string): string {
  return /[|\s]/.test(type) && !type.startsWith('{') ? `(${type})` : type;
}
