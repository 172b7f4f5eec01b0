// The operations of the service: those in its OpenAPI document, and mounted routes that the document omits,
// such as those of the tus protocol.
import type { MountedRoute } from '../../../server/src/http/access.ts';
import type { ExampleRequest } from '../../../server/src/http/operation.ts';

/** A JSON schema, as far as values are generated from it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
}

interface Parameter {
  readonly in: 'path' | 'query';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface ResponseDescription {
  readonly content?: Content;
}

export interface Operation {
  /** Such as `GET /api/files/{fileId}`. */
  readonly name: string;
  readonly method: string;
  /** With path parameters in braces. */
  readonly url: string;
  readonly parameters: readonly Parameter[];
  /** The schemas of the body by media type. */
  readonly bodies: Readonly<Record<string, Schema>>;
  /** The responses by status, such as `200` or `4XX`; undefined if the document omits the operation. */
  readonly responses: Readonly<Record<string, ResponseDescription>> | undefined;
  /** Missing for routes that are not API operations, such as pages. */
  readonly example?: ExampleRequest | undefined;
}

interface DocumentedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseDescription>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** Pages of a package that shows the document. */
const DOCUMENTATION = /^\/api\/docs/;

/** Lists one operation per mounted route of the API. */
export function listOperations(document: ApiDocument, routes: readonly MountedRoute[]): readonly Operation[] {
  const own = routes.filter((route) => !DOCUMENTATION.test(route.url) && !isDav(route));
  return own.map(({ method, url: pattern, operation }) => {
    const url = pattern.replaceAll(/:(\w+)/g, '{$1}');
    const methods = document.paths[url];
    // The document does not repeat a GET as HEAD.
    const described = methods?.[method.toLowerCase()] ?? (method === 'HEAD' ? methods?.get : undefined);
    return { ...toOperation(method, url, described), example: operation?.example };
  });
}

/**
 * WebDAV is excluded: it has no description and no envelope, and its parsers have their own property tests.
 */
function isDav({ method, url }: MountedRoute): boolean {
  return /^\/(?:dav|drives)(?:\/\*)?$/.test(url) || (url === '/' && ['OPTIONS', 'PROPFIND'].includes(method));
}

function toOperation(method: string, url: string, described: DocumentedOperation | undefined) {
  const contents = Object.entries(described?.requestBody?.content ?? {});
  return {
    name: `${method} ${url}`,
    method,
    url,
    parameters: described?.parameters ?? parametersIn(url),
    bodies: Object.fromEntries(contents.map(([type, { schema = {} }]) => [type, schema])),
    responses: described?.responses,
  };
}

function parametersIn(url: string): readonly Parameter[] {
  return [...url.matchAll(/\{(\w+)\}|\*/g)].map(([, name = '*']) => ({
    in: 'path',
    name,
    required: true,
    schema: { type: 'string' },
  }));
}
