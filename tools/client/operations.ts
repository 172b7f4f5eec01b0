// The operations of the service as types: the input and the response of each.
import type { MountedRoute } from '../../server/src/http/access.ts';
import { type FindName, type JsonSchema, toMembers, toType } from './schema-types.ts';

interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;

interface DocumentedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The OpenAPI document of the service, as far as it is read here. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** What a success returns: `data` of the envelope, raw bytes, events, a redirect, or only headers. */
type Answer = 'data' | 'bytes' | 'events' | 'redirect' | 'headers';

export interface Operation {
  /** Such as `GET /api/files/list`. */
  readonly name: string;
  readonly answer: Answer;
  readonly access: MountedRoute['access'];
  readonly appPassword: MountedRoute['appPassword'];
  readonly described: DocumentedOperation | undefined;
}

/** Routes that are not part of the API for programs. */
const LEFT_OUT: readonly RegExp[] = [
  // The API description, and pages that show it.
  /^\/api\/(?:docs|openapi\.json)/,
  // WebDAV has its own clients.
  /^\/(?:dav|drives)(?:\/|$)/,
  // Clients use signed addresses unchanged.
  /^\/_dl\//,
  // Monitoring, in another format.
  /^\/metrics$/,
];

/** Operations whose body consists of raw bytes, which a schema cannot express. */
const RAW_BODIES = /^(?:PUT \/api\/files\/upload\/content|PUT \/api\/v2\/files\/\{fileId\}\/content)$/;

const TUS = /\/tus(?:\/|$)/;

/** Lists the mounted routes with their descriptions in the document, sorted by path and method. */
export function listOperations(document: ApiDocument, routes: readonly MountedRoute[]): readonly Operation[] {
  return routes
    .map((route) => ({ ...route, url: route.url.replaceAll(/:(\w+)/g, '{$1}') }))
    .filter((route) => isOffered(route, document))
    .map((route) => {
      const described = document.paths[route.url]?.[route.method.toLowerCase()];
      const { access, appPassword } = route;
      return {
        name: `${route.method} ${route.url}`,
        answer: answerOf(described),
        access,
        appPassword,
        described,
      };
    })
    .sort((one, other) => (sortKey(one.name) < sortKey(other.name) ? -1 : 1));
}

/** Excludes routes that only pages use, and HEAD and OPTIONS where GET returns the same information. */
function isOffered({ method, url }: MountedRoute, document: ApiDocument): boolean {
  if (LEFT_OUT.some((pattern) => pattern.test(url))) return false;
  // For a single upload, OPTIONS repeats that of the collection, and POST only stands for other methods.
  if (TUS.test(url)) return /\/tus$/.test(url) || !['OPTIONS', 'POST'].includes(method);
  return document.paths[url]?.[method.toLowerCase()] !== undefined;
}

function sortKey(name: string): string {
  const [method, url] = name.split(' ');
  return `${url} ${method}`;
}

function answerOf(described: DocumentedOperation | undefined): Answer {
  if (described === undefined) return 'headers';
  const { content } = described.responses['200'] ?? {};
  if (content === undefined) return 'redirect';
  if (content['application/json'] !== undefined) return 'data';
  return content['text/event-stream'] === undefined ? 'bytes' : 'events';
}

/** The member of `Operations` for one operation. */
export function toOperationType(operation: Operation, findName: FindName): string {
  const { name, described, answer } = operation;
  const parts = [
    toParameters('path', parametersOf(operation, 'path'), findName),
    toParameters('query', parametersOf(operation, 'query'), findName),
    toBody(operation, findName),
  ].filter((part) => part !== undefined);
  const schema = described?.responses['200']?.content?.['application/json']?.schema?.properties?.data;
  const data = answer !== 'data' ? 'undefined' : schema === undefined ? 'unknown' : toType(schema, findName);
  const input = parts.length === 0 ? 'NoInput' : `{ ${parts.join(' ')} }`;
  return `'${name}': { readonly input: ${input}; readonly data: ${data}; };`;
}

function parametersOf({ name, described }: Operation, place: Parameter['in']): readonly Parameter[] {
  if (described !== undefined) return (described.parameters ?? []).filter((one) => one.in === place);
  if (place !== 'path') return [];
  return [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => ({
    in: place,
    name: parameter,
    required: true,
    schema: { type: 'string' },
  }));
}

function toParameters(
  place: string,
  parameters: readonly Parameter[],
  findName: FindName,
): string | undefined {
  if (parameters.length === 0) return undefined;
  const required = parameters.filter((one) => one.required === true).map(({ name }) => name);
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      description === undefined ? schema : { ...schema, description },
    ]),
  );
  const members = toMembers({ type: 'object', properties, required }, findName);
  return `readonly ${place}${required.length > 0 ? '' : '?'}: {\n${members}\n}${required.length > 0 ? '' : ' | undefined'};`;
}

function toBody({ name, described, answer }: Operation, findName: FindName): string | undefined {
  if (RAW_BODIES.test(name)) return 'readonly body: RawBody;';
  if (answer === 'headers') return 'readonly body?: RawBody | undefined;';
  const content = described?.requestBody?.content;
  if (content === undefined) return undefined;
  const types = Object.entries(content).map(([media, { schema = {} }]) => {
    if (media === 'multipart/form-data') return 'FormData';
    return media === 'application/json' ? toType(schema, findName) : 'RawBody';
  });
  const { schema } = content['application/json'] ?? {};
  const mayBeAbsent = schema?.type !== undefined && schema.type !== 'object';
  return `readonly body${mayBeAbsent ? '?' : ''}: ${types.join(' | ')}${mayBeAbsent ? ' | undefined' : ''};`;
}

/** The entry in the list of operations, which also exists at run time. */
export function toOperationFacts({ name, answer, access, appPassword }: Operation): string {
  return `'${name}': { answer: '${answer}', access: '${access}', appPassword: '${appPassword}' },`;
}
