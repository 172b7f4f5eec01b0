import type { IncomingHttpHeaders } from 'node:http';
import type { LogicalPath } from '../../base/text/names/logical-path.ts';
import type { Actor } from '../../drive/drive.ts';

/** A request to an address in a drive. */
export interface DavRequest {
  readonly method: string;
  readonly path: LogicalPath;
  /** Whether the address ends with a slash. */
  readonly hasSlash: boolean;
  readonly headers: IncomingHttpHeaders;
  readonly actor: Actor;
  /** The host names, with ports, by which the client may know this server. */
  readonly hosts: readonly string[];
  /** Whether the request has a body. */
  readonly hasBody: boolean;
  /** Reads the content of a file. */
  readonly content: () => AsyncIterable<Uint8Array>;
  /** Reads an XML body. @throws DavError 413 */
  readonly readXml: () => Promise<Uint8Array>;
}

/** An answer whose body, if any, is XML. */
export interface DavAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<string>;
}
