// Each API operation has one description, with which its route is mounted. Tests, OpenAPI and the client
// library read the descriptions of all mounted routes.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Access, AppPasswordAccess } from './access.ts';
import { enveloped, envelopedNothing, NOTHING, success } from './envelope.ts';
import type { Server } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The description that the route was mounted with. */
    operation?: Operation;
  }
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** Method and full address, with parameters in braces, such as `PATCH /api/v2/shares/{id}`. */
export type OperationName = `${Method} /${string}`;

/** A request that the schemas accept. Its ids come from `EXAMPLE`. */
export interface ExampleRequest {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body. */
  readonly body?: unknown;
  /** The fields of a multipart body. The content of a file is a text. */
  readonly form?: Readonly<Record<string, string>>;
  /** The raw bytes of the body. */
  readonly bytes?: string;
}

/** Properties of an operation that the rest of the server must know before it runs. */
type Exceptions = Pick<
  FastifyContextConfig,
  | 'beforePasswordChange'
  | 'beforeSecondFactor'
  | 'driveRole'
  | 'inDrive'
  | 'isLongPoll'
  | 'servesCode'
  | 'takesAllDrives'
  | 'takesTokenInQuery'
>;

export interface Description extends Exceptions {
  /** One sentence for readers of the API's description. */
  readonly does: string;
  readonly access: Access;
  readonly appPassword: AppPasswordAccess;
  readonly path?: TObject;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  /** The JSON body. */
  readonly body?: TSchema;
  /** The parts of a multipart body. The operation reads and checks them itself. */
  readonly form?: TObject;
  /** The body may be the bytes of a file. */
  readonly takesBytes?: true;
  /** The limit for the body, if it differs from the general limit. */
  readonly maxBodyBytes?: number;
  /** The `data` of the answer. Without it, and without `responses`, it is null. */
  readonly data?: TSchema;
  /** Answers that are not an envelope, by their status. */
  readonly responses?: Readonly<Record<string | number, unknown>>;
  /** Left out of the API description, because clients get the address from another response. */
  readonly isHidden?: true;
  readonly example: ExampleRequest;
}

export type Operation<D extends Description = Description> = D & { readonly name: OperationName };

export function operation<const D extends Description>(name: OperationName, description: D): Operation<D> {
  return { name, ...description };
}

type SchemaOf<D, Part extends string> =
  D extends Readonly<Record<Part, infer S extends TSchema>> ? S : undefined;

interface RequestSchema<D> extends FastifySchema {
  readonly params: SchemaOf<D, 'path'>;
  readonly querystring: SchemaOf<D, 'query'>;
  readonly headers: SchemaOf<D, 'headers'>;
  readonly body: SchemaOf<D, 'body'>;
}

/** A request whose parts have been validated. */
type RequestOf<D> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  RequestSchema<D>,
  TypeBoxTypeProvider,
  FastifyContextConfig,
  FastifyBaseLogger
>;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without data has no return statement
type DataOf<D> = SchemaOf<D, 'data'> extends TSchema ? Unchanged<Static<SchemaOf<D, 'data'>>> : void;

/** Makes a list, or a page of one, read-only. So a handler can return a feature's list without copying it. */
type Unchanged<T> = T extends readonly (infer Item)[]
  ? readonly Item[]
  : T extends { items: readonly (infer Item)[] }
    ? Omit<T, 'items'> & { readonly items: readonly Item[] }
    : T;

/** Returns the `data` of the answer, or the reply if the handler has sent something else. */
type Handler<D> = (request: RequestOf<D>, reply: FastifyReply) => Promise<DataOf<D> | FastifyReply>;

/** Mounts an operation. */
export function mount<D extends Description>(
  server: Server,
  described: Operation<D>,
  handle: Handler<D>,
): void {
  const [method = '', address = ''] = described.name.split(' ');
  const { data, responses } = described;
  // A handler that returns nothing has sent the answer itself, or the `data` is null.
  const fallback = data === undefined && responses === undefined ? NOTHING : undefined;
  // The handler's types come from the description, which Fastify cannot infer here.
  const plain = server as unknown as FastifyInstance;
  plain.route({
    method,
    url: toPattern(address),
    config: toConfig(described),
    schema: toSchema(described),
    ...(described.maxBodyBytes !== undefined && { bodyLimit: described.maxBodyBytes }),
    handler: async (request, reply) => {
      // Replies are thenable: a handler that returns one resolves to undefined after the answer was sent.
      const answer = await handle(request as RequestOf<D>, reply);
      return answer === undefined ? fallback : success(answer);
    },
  });
}

/** The pattern of the router: `/api/v2/shares/:id`. */
function toPattern(address: string): string {
  return address.replaceAll(/\{(\w+)\}/g, ':$1');
}

function toConfig(described: Operation): FastifyContextConfig {
  const { access, appPassword, form } = described;
  const { beforePasswordChange, beforeSecondFactor, isLongPoll, servesCode, takesTokenInQuery } = described;
  const { driveRole, inDrive, takesAllDrives } = described;
  return {
    ...{ access, appPassword, operation: described },
    ...(form && { form }),
    ...(beforePasswordChange && { beforePasswordChange }),
    ...(beforeSecondFactor && { beforeSecondFactor }),
    ...(driveRole && { driveRole }),
    ...(inDrive && { inDrive }),
    ...(isLongPoll && { isLongPoll }),
    ...(servesCode && { servesCode }),
    ...(takesAllDrives && { takesAllDrives }),
    ...(takesTokenInQuery && { takesTokenInQuery }),
  };
}

function toSchema({ does, path, query, headers, body, data, ...rest }: Operation): FastifySchema {
  const consumes = [
    ...(rest.form === undefined ? [] : ['multipart/form-data']),
    ...(rest.takesBytes ? ['application/octet-stream'] : []),
  ];
  return {
    summary: does,
    ...(rest.isHidden && { hide: true }),
    ...(path && { params: path }),
    ...(query && { querystring: query }),
    ...(headers && { headers }),
    ...(body && { body }),
    ...(consumes.length > 0 && { consumes }),
    response: {
      ...(data !== undefined ? enveloped(data) : rest.responses === undefined ? envelopedNothing : {}),
      ...rest.responses,
    },
  };
}
