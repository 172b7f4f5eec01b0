import { Ajv, type Options } from 'ajv';
import type { FastifyInstance } from 'fastify';

const COMMON: Options = { useDefaults: true, allErrors: false, strict: false, validateFormats: false };

/**
 * Bodies are taken as they are: `"5"` is not a number there. Everything in an address is text, so numbers and
 * flags are read out of it. Unknown members are ignored (contract, section 1).
 */
export function useValidators(server: FastifyInstance): void {
  const strict = new Ajv(COMMON);
  const fromText = new Ajv({ ...COMMON, coerceTypes: true });
  server.setValidatorCompiler(({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? strict : fromText;
    return ajv.compile(schema as object);
  });
}
