/** The goal for a figure. `of` says whether it applies to the value or to the ratio to the peer. */
export interface Goal {
  readonly figure: string;
  readonly of: 'value' | 'ratio';
  readonly atLeast?: number;
  readonly atMost?: number;
  /** An absolute value that is enough to reach a ratio goal. */
  readonly orValueAtLeast?: number;
}

export const GOALS: readonly Goal[] = [
  { figure: 'ping with a token', of: 'ratio', atLeast: 0.35 },
  { figure: 'upload 4 KiB', of: 'ratio', atLeast: 0.3 },
  { figure: 'upload 1 GiB', of: 'ratio', atLeast: 0.6 },
  { figure: 'download 1 GiB', of: 'ratio', atLeast: 0.8 },
  { figure: 'tus upload of 1 GiB', of: 'ratio', atLeast: 1.5, orValueAtLeast: 1_000 },
  // Compared with SQLite and local disk.
  { figure: 'ping, PostgreSQL and S3', of: 'ratio', atLeast: 0.5 },
  { figure: 'page of 100 out of 1,000, PostgreSQL and S3', of: 'ratio', atLeast: 0.5 },
  { figure: 'peak memory, 1 GiB up and down', of: 'value', atMost: 150 },
  { figure: 'download 4 KiB', of: 'ratio', atLeast: 0.6 },
  { figure: 'ranges of 64 KiB', of: 'ratio', atLeast: 0.6 },
  { figure: 'download 1 MiB', of: 'ratio', atLeast: 0.8 },
  // At most 1.3 times the owner's own request.
  { figure: 'shared download 4 KiB', of: 'ratio', atLeast: 0.77 },
  { figure: 'public share summary', of: 'ratio', atLeast: 0.77 },
  { figure: 'page of 100 out of 1,000', of: 'value', atLeast: 1_500 },
  { figure: 'page of 100 out of 10,000', of: 'value', atLeast: 1_500 },
  { figure: 'page of 100 out of 100,000', of: 'value', atLeast: 1_500 },
  { figure: 'time of a page, 100,000 to 1,000', of: 'value', atMost: 1.5 },
  { figure: 'search of a rare word among 50,000', of: 'value', atMost: 10 },
  { figure: 'search of a rare word among 1,000,000', of: 'value', atMost: 50 },
  { figure: 'search of a rare word among 50,000, PostgreSQL', of: 'value', atMost: 10 },
  { figure: 'search of a rare word among 1,000,000, PostgreSQL', of: 'value', atMost: 50 },
  { figure: 'content search of a rare word among 100,000', of: 'value', atMost: 50 },
  { figure: 'content search of two rare words among 100,000', of: 'value', atMost: 50 },
  { figure: 'content search of a frequent word among 100,000', of: 'value', atMost: 150 },
  {
    figure: 'content search of a frequent word in a drive without files among 100,000',
    of: 'value',
    atMost: 50,
  },
  { figure: 'content search of frequent words with filters among 100,000', of: 'value', atMost: 150 },
  // Compared with a service that takes no texts.
  { figure: 'upload of texts while others are taken', of: 'ratio', atLeast: 0.9 },
  { figure: 'zip of 1,000 files', of: 'value', atLeast: 6_000 },
  { figure: 'PROPFIND of 1,000 entries', of: 'value', atMost: 10 },
  { figure: 'PROPFIND of 1,000 entries, beside Apache', of: 'ratio', atMost: 1 },
  { figure: 'PROPFIND of 1,000 entries, beside rclone', of: 'ratio', atMost: 1 },
  { figure: 'PROPFIND of 10,000 entries', of: 'value', atMost: 90 },
  { figure: 'memory that a PROPFIND of 10,000 entries adds', of: 'value', atMost: 32 },
  { figure: 'rclone copy of 1,000 files of 4 KiB', of: 'ratio', atLeast: 1.5 },
  { figure: 'processor time of an app password', of: 'value', atMost: 0.1 },
  { figure: 'login', of: 'value', atLeast: 100 },
  { figure: 'idle memory', of: 'value', atMost: 80 },
  { figure: 'process start to listening', of: 'value', atMost: 400 },
];

interface Measured {
  readonly value: number;
  /** Null if there is no peer. */
  readonly ratio: number | null;
}

/** Null if the value of the goal was not measured. */
export function isReached(goal: Goal, { value, ratio }: Measured): boolean | null {
  if (value >= (goal.orValueAtLeast ?? Infinity)) return true;
  const measured = goal.of === 'ratio' ? ratio : value;
  if (measured === null) return null;
  return measured >= (goal.atLeast ?? -Infinity) && measured <= (goal.atMost ?? Infinity);
}
