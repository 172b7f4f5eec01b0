import type { ClientBase } from 'pg';

/** After this time, the kernel probes a connection that has no traffic. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** The socket of a client. `pg` has always had it, but its types do not declare it. */
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
