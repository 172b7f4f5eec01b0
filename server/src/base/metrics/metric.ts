export interface Sample {
  readonly value: number;
  /** A value for each label name of the metric. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A number that is read when the metrics are collected. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly labelNames?: readonly string[];
  /** No samples if the value is not known now. Resolves in bounded time. */
  read(): readonly Sample[] | Promise<readonly Sample[]>;
}

/** A metric without labels. */
export function single(
  metric: Pick<Metric, 'name' | 'help' | 'type'>,
  read: () => number | undefined | Promise<number | undefined>,
): Metric {
  return {
    ...metric,
    read: async () => {
      const value = await read();
      return value === undefined ? [] : [{ value }];
    },
  };
}
