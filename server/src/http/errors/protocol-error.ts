/** An error of the client in a protocol that defines its own HTTP statuses, such as tus. */
export class ProtocolError extends Error {
  /** From 400 to 499. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ProtocolError';
    this.status = status;
  }
}
