/** What every call takes besides its own parameters. */
export interface CallOptions {
  /** Ends the call; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for one attempt, until its answer has arrived, or for bytes and events until they begin. 0
   * is no limit. By default the limit of the `Holdall`.
   */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt may be repeated. By default the number of the `Holdall`. */
  readonly retries?: number | undefined;
}
