/** A request that breaks the rules of a protocol which has statuses of its own for that (tus, WebDAV). */
export class ProtocolRefusal extends Error {
  /** From 400 to 499. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ProtocolRefusal';
    this.status = status;
  }
}
