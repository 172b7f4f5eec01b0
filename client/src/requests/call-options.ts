/** Options of every call, in addition to its own parameters. */
export interface CallOptions {
  /** Ends the call; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for one attempt until its response has arrived, or, for bytes and events, until they begin.
   * 0 is no limit. The default is the limit of the `Holdall`.
   */
  readonly timeoutMs?: number | undefined;
  /** How many times a failed attempt may be repeated. The default is the number of the `Holdall`. */
  readonly retries?: number | undefined;
}
