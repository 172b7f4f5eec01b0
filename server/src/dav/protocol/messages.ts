import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '../../drive/drive.ts';
import type { EntryTarget } from './href.ts';

/** Who sends a request. Locks belong to an account. */
export interface DavActor extends Actor {
  readonly accountId: number;
}

/** A request to an address in a drive. */
export interface DavRequest extends EntryTarget {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly actor: DavActor;
  /** The caller's personal drive, which another address in the request may name. */
  readonly personalDriveId: number;
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
