import type { OPERATIONS } from '../generated/operation-list.ts';
import type { Operations } from '../generated/operations.ts';
import type { CallOptions } from './call-options.ts';

/** The name of an operation: method and path, as in the API reference. */
export type OperationName = keyof Operations;

/** Path, query and body of an operation. */
export type InputOf<Name extends OperationName> = Operations[Name]['input'];

/** The `data` that an operation returns. */
export type DataOf<Name extends OperationName> = Operations[Name]['data'];

/** The operations that return the envelope with `data`. */
export type DataOperation = {
  [Name in OperationName]: (typeof OPERATIONS)[Name]['answer'] extends 'data' ? Name : never;
}[OperationName];

export interface RequestOptions extends CallOptions {
  /** Headers in addition to those that the library sends. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In browsers: the priority compared with other requests of the page. */
  readonly priority?: 'high' | 'low' | 'auto' | undefined;
  /** In browsers: sends the request even if the user leaves the page. */
  readonly keepalive?: boolean | undefined;
}

/** The input can be left out if nothing in it is required. */
export type Arguments<Name extends OperationName> =
  Record<never, never> extends InputOf<Name>
    ? [input?: InputOf<Name>, options?: RequestOptions]
    : [input: InputOf<Name>, options?: RequestOptions];
