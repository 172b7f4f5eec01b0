import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifyInstance } from 'fastify';

/**
 * Shared by all servers of the process, so that a schema is compiled once. The schemas are constants of this
 * program, so they are not checked against the meta-schema, which would take long to compile.
 */
const ajv = new Ajv({
  useDefaults: true,
  allErrors: false,
  strict: false,
  validateFormats: false,
  validateSchema: false,
  meta: false,
});

/**
 * Sets up request validation with Ajv. Bodies are not converted: `"5"` is not a number there. In paths,
 * queries and headers everything is text, so integers and booleans are parsed first. Only decimal notation is
 * accepted: `0x10`, `1e3` and ` 5` are not numbers. Unknown members are ignored.
 */
export function useValidators(server: FastifyInstance): void {
  server.setValidatorCompiler(({ schema, httpPart }) => {
    const parsers =
      httpPart === 'body' ? [] : parsersOf(schema as { properties?: Record<string, { type?: unknown }> });
    let validate: ValidateFunction | undefined;
    const check = (values: Record<string, unknown> | null) => {
      if (values !== null) for (const parseMember of parsers) parseMember(values);
      // Compiled at the first request: compiling all schemas at the start would take a quarter of a second.
      validate ??= ajv.compile(schema as object);
      const isValid = validate(values);
      check.errors = validate.errors ?? null;
      return isValid;
    };
    check.errors = null as NonNullable<ValidateFunction['errors']> | null;
    return check;
  });
}

/**
 * For each integer and boolean member, a function that replaces its text with the value if the text is valid.
 */
function parsersOf({ properties = {} }: { properties?: Record<string, { type?: unknown }> }) {
  return Object.entries(properties).flatMap(([name, { type }]) => {
    const parse = type === 'integer' ? parseInteger : type === 'boolean' ? parseFlag : undefined;
    if (parse === undefined) return [];
    return [
      (values: Record<string, unknown>) => {
        const text = values[name];
        if (typeof text === 'string') values[name] = parse(text) ?? text;
      },
    ];
  });
}

function parseInteger(text: string): number | undefined {
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

function parseFlag(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}
