import type { ClientBase } from 'pg';

/** A connection without traffic is probed by the kernel after this time. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** The socket of a client, which `pg` has always had and its types do not have. */
interface ClientSocket {
  readonly bytesRead: number;
  destroy(error?: Error): void;
}

export function socketOf(client: ClientBase): ClientSocket {
  return (client as unknown as { connection: { stream: ClientSocket } }).connection.stream;
}

/** Ends a connection without waiting for its server. */
export function destroySocket(client: ClientBase, error?: Error): void {
  socketOf(client).destroy(error);
}
