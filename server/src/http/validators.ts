import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifyInstance } from 'fastify';

/**
 * Bodies are taken as they are: `"5"` is not a number there. Everything in an address is text, so whole
 * numbers and flags are read out of it, written as people write them: `0x10`, `1e3` and ` 5` are no numbers.
 * Unknown members are ignored (contract, section 1).
 */
export function useValidators(server: FastifyInstance): void {
  const ajv = new Ajv({ useDefaults: true, allErrors: false, strict: false, validateFormats: false });
  server.setValidatorCompiler(({ schema, httpPart }) => {
    const readers =
      httpPart === 'body' ? [] : readersOf(schema as { properties?: Record<string, { type?: unknown }> });
    let validate: ValidateFunction | undefined;
    const check = (values: Record<string, unknown> | null) => {
      if (values !== null) for (const read of readers) read(values);
      // Compiled by the first request: at the start, all schemas together would take a quarter of a second.
      validate ??= ajv.compile(schema as object);
      const isValid = validate(values);
      check.errors = validate.errors ?? null;
      return isValid;
    };
    check.errors = null as NonNullable<ValidateFunction['errors']> | null;
    return check;
  });
}

/** For each member that is not text: what puts its value in place of the text, if the text says one. */
function readersOf({ properties = {} }: { properties?: Record<string, { type?: unknown }> }) {
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
