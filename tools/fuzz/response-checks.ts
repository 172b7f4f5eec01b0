// Checks what must hold for every response, whatever the request was.
import { Ajv, type ValidateFunction } from 'ajv';
import type { Operation, ResponseDescription, Schema } from './requests/operations.ts';
import { typesOf } from './requests/schema-values.ts';
import type { RawResponse } from './service/raw-connection.ts';

const LEGACY_CODES: Readonly<Record<number, readonly number[]>> = {
  400: [1000, 1003],
  401: [1001],
  403: [1002],
  404: [1003],
  408: [1000, 1003],
  409: [1003],
  410: [1003],
  413: [1003],
  429: [1429],
  500: [1500],
  503: [1503],
};

/** The legacy code for statuses that come from a protocol such as HTTP or tus. */
const PROTOCOL_CODES = [1003];

/** Words from program internals, which must not be in a message for people. */
const LEAKED =
  /\bselect .* from\b|\binsert into\b|sqlite|postgres|constraint|\bat .*\.(?:ts|js):\d+|ENOENT|undefined/i;

/** A path at the end of a message. It is the client's own text, so it may contain any words. */
const SENT_PATH = /(?<=^There is no directory )\/.*$/s;

interface Checked {
  /** The method that was sent. */
  readonly method: string;
  readonly operation: Operation | undefined;
  /** The path of the request, which determines the API family of an error. */
  readonly target: string;
  readonly response: RawResponse;
}

/** Describes what is wrong with a response, in short sentences. */
export class ResponseChecks {
  readonly #ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
  readonly #validators = new Map<Schema, ValidateFunction>();

  find(checked: Checked): readonly string[] {
    const { operation, response } = checked;
    const faults = [...findHeaderFaults(response)];
    if (response.status >= 500) faults.push(`status ${response.status}`);
    const described = operation === undefined ? undefined : findDescription(operation, response.status);
    if (operation?.responses !== undefined && described === undefined) {
      faults.push(`status ${response.status} is not documented`);
    }
    const isHead = checked.method === 'HEAD';
    if (!response.isComplete || isHead || response.status === 304 || response.status === 204) return faults;
    const isEmpty = described === undefined ? isFailedCondition(checked) : described.content === undefined;
    if (isEmpty && response.body.byteLength > 0) faults.push('a response without content has a body');
    else if (isEmpty) return faults;
    else if (response.status >= 400) {
      const mayHaveData = described !== undefined && hasData(described);
      faults.push(...findEnvelopeFaults(checked, mayHaveData));
      if (mayHaveData) faults.push(...this.#findBodyFaults(described.content, response));
    } else if (described !== undefined) faults.push(...this.#findBodyFaults(described.content, response));
    return faults;
  }

  *#findBodyFaults(
    content: Readonly<Record<string, { readonly schema?: Schema }>> | undefined,
    { headers, body }: RawResponse,
  ): Generator<string> {
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const schema = content?.[type]?.schema;
    // The owner chooses the type of a file, so the document says `*/*`.
    if (content?.['*/*'] !== undefined && schema === undefined) return;
    if (content === undefined || schema === undefined) yield `the content type ${type} is not documented`;
    else if (type === 'application/json') {
      const validate = this.#validatorOf(schema);
      const value = parse(body);
      if (value === undefined) yield 'the body is not JSON';
      else if (!validate(value)) {
        const [error] = validate.errors ?? [];
        const place = error?.instancePath.replaceAll(/\d+/g, '*');
        yield `the body does not match its schema: ${place} ${error?.message}`;
      }
    }
  }

  #validatorOf(schema: Schema): ValidateFunction {
    const known = this.#validators.get(schema);
    if (known !== undefined) return known;
    const validate = this.#ajv.compile(schema);
    this.#validators.set(schema, validate);
    return validate;
  }
}

export function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** Downloads from signed addresses are not in the document. They return these statuses without a body. */
function isFailedCondition({ operation, response }: Checked): boolean {
  return operation?.url === '/_dl/*' && [412, 416].includes(response.status);
}

function findDescription({ responses = {} }: Operation, status: number) {
  return responses[`${status}`] ?? responses[`${Math.floor(status / 100)}XX`];
}

function* findHeaderFaults({ status, headers }: RawResponse): Generator<string> {
  if (headers.get('x-content-type-options') !== 'nosniff') yield 'there is no X-Content-Type-Options';
  if ((status === 503 || status === 429) && !headers.has('retry-after')) yield 'there is no Retry-After';
  if (status === 401 && !headers.has('www-authenticate')) yield 'there is no WWW-Authenticate';
}

/** Whether an error has its own schema for its data, for example for how to continue a login. */
function hasData({ content }: ResponseDescription): boolean {
  const data = content?.['application/json']?.schema?.properties?.data;
  return data !== undefined && typesOf(data).some((type) => type !== 'null');
}

function* findEnvelopeFaults(
  { target, response: { status, headers, body } }: Checked,
  mayHaveData: boolean,
): Generator<string> {
  if (headers.get('content-type') !== 'application/json; charset=utf-8') {
    yield `an error has the content type ${headers.get('content-type')}`;
  }
  const value = parse(body);
  if (typeof value !== 'object' || value === null) return yield 'an error is not an envelope';
  const { code, msg, data, ...rest } = value as Record<string, unknown>;
  if ((data !== null && !mayHaveData) || Object.keys(rest).length > 0)
    yield 'an error has more than code, msg and null';
  if (typeof msg !== 'string' || msg === '') yield 'an error has no message';
  else if (LEAKED.test(msg.replace(SENT_PATH, '')))
    yield `a message of an error shows how the program works: ${msg.slice(0, 200)}`;
  // A space ends the URL in the request line.
  const isV2 = /^\/api\/v2(?:[/? ]|$)/.test(target);
  // Bytes that are not HTTP have no path, so the response has the format of the legacy family.
  const isBrokenHttp = !headers.has('x-request-id');
  const legacy = LEGACY_CODES[status] ?? PROTOCOL_CODES;
  const codes = isV2 && !isBrokenHttp ? [2_000 + status] : legacy;
  if (!codes.includes(Number(code))) yield `the code ${code} does not belong to the status ${status}`;
}
