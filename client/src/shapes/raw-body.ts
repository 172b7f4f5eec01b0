/** Raw bytes to send. A stream can be sent only once, so a request with one is never repeated. */
export type RawBody = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string | ReadableStream<Uint8Array>;
