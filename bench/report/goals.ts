/** The goal for a figure; `of` says whether it is for the value or for the ratio to the partner. */
export interface Goal {
  readonly figure: string;
  readonly of: 'value' | 'ratio';
  readonly atLeast?: number;
  readonly atMost?: number;
  /** An absolute value that also reaches a ratio goal. */
  readonly orValueAtLeast?: number;
}

export const GOALS: readonly Goal[] = [
  { figure: 'ping with a token', of: 'ratio', atLeast: 0.35 },
  { figure: 'upload 4 KiB', of: 'ratio', atLeast: 0.3 },
  { figure: 'upload 1 GiB', of: 'ratio', atLeast: 0.6 },
  { figure: 'download 1 GiB', of: 'ratio', atLeast: 0.8 },
  { figure: 'PROXY session of 1 GiB', of: 'ratio', atLeast: 0.6 },
  { figure: 'tus upload of 1 GiB', of: 'ratio', atLeast: 1.5, orValueAtLeast: 1_000 },
  { figure: 'DIRECT_MULTIPART session of 1 GiB', of: 'ratio', atLeast: 0.9 },
  { figure: "complete of 1,000 parts, less the store's own", of: 'value', atMost: 300 },
  // Beside SQLite and the local disk.
  { figure: 'ping, PostgreSQL and S3', of: 'ratio', atLeast: 0.5 },
  { figure: 'page of 100 out of 1,000, PostgreSQL and S3', of: 'ratio', atLeast: 0.5 },
  { figure: 'peak memory, download of 1 GiB from S3', of: 'value', atMost: 200 },
  { figure: 'peak memory, 1 GiB up and down', of: 'value', atMost: 150 },
  { figure: 'download 4 KiB', of: 'ratio', atLeast: 0.6 },
  { figure: 'ranges of 64 KiB', of: 'ratio', atLeast: 0.6 },
  { figure: 'download 1 MiB', of: 'ratio', atLeast: 0.8 },
  { figure: 'download 1 MiB behind nginx', of: 'ratio', atLeast: 0.8 },
  // At most 1.3 times the owner's own request.
  { figure: 'shared download 4 KiB', of: 'ratio', atLeast: 0.77 },
  { figure: 'public share summary', of: 'ratio', atLeast: 0.77 },
  { figure: 'first thumbnails of photos of 3 MB', of: 'value', atLeast: 20 },
  { figure: 'thumbnail from the cache, beside a download of 20 kB', of: 'ratio', atLeast: 0.5 },
  { figure: 'page of 100 out of 1,000', of: 'value', atLeast: 1_500 },
  { figure: 'page of 100 out of 10,000', of: 'value', atLeast: 1_500 },
  { figure: 'page of 100 out of 100,000', of: 'value', atLeast: 1_500 },
  { figure: 'time of a page, 100,000 to 1,000', of: 'value', atMost: 1.5 },
  { figure: 'search of a rare word among 50,000', of: 'value', atMost: 10 },
  { figure: 'search of a rare word among 1,000,000', of: 'value', atMost: 50 },
  { figure: 'search of a rare word among 50,000, PostgreSQL', of: 'value', atMost: 10 },
  { figure: 'search of a rare word among 1,000,000, PostgreSQL', of: 'value', atMost: 50 },
  { figure: 'move of 10,000 descendants', of: 'value', atMost: 2 },
  { figure: 'copy of 2,000 files', of: 'value', atMost: 60 },
  { figure: 'delete of 2,000 files', of: 'value', atMost: 40 },
  { figure: 'zip of 1,000 files', of: 'value', atLeast: 6_000 },
  { figure: 'PROPFIND of 1,000 entries', of: 'value', atMost: 10 },
  { figure: 'PROPFIND of 1,000 entries, beside Apache', of: 'ratio', atMost: 1 },
  { figure: 'PROPFIND of 1,000 entries, beside rclone', of: 'ratio', atMost: 1 },
  { figure: 'PROPFIND of 10,000 entries', of: 'value', atMost: 90 },
  { figure: 'memory that a PROPFIND of 10,000 entries adds', of: 'value', atMost: 32 },
  { figure: 'rclone copy of 1,000 files of 4 KiB', of: 'ratio', atLeast: 1.5 },
  { figure: 'processor time of an app password', of: 'value', atMost: 0.1 },
  { figure: 'signal to one of 1,000 who wait', of: 'value', atMost: 20 },
  { figure: 'signal to one of 1,000 who wait, PostgreSQL', of: 'value', atMost: 50 },
  { figure: 'task from POST to RUNNING', of: 'value', atMost: 50 },
  { figure: 'archive of 1,000 files of 4 KiB', of: 'ratio', atLeast: 0.5 },
  { figure: 'extract of 1,000 files of 4 KiB', of: 'ratio', atLeast: 0.5 },
  // Beside the client of the benchmark, and beside curl.
  { figure: 'holdall put of 10,000 files of 4 KiB', of: 'ratio', atLeast: 0.8 },
  { figure: 'holdall get of 1 GiB', of: 'ratio', atLeast: 0.8 },
  { figure: 'holdall sync of 100,000 unchanged files', of: 'value', atMost: 3 },
  { figure: 'a changed file among 100,000, on the other side', of: 'value', atMost: 1_000 },
  // Beside an account of 1,000 entries, and beside one account.
  { figure: 'page of 100, 1,000,000 entries', of: 'ratio', atMost: 1.5 },
  { figure: 'search of a rare word, 1,000,000 entries', of: 'ratio', atMost: 2 },
  { figure: 'upload of 4 KiB, 1,000,000 entries', of: 'ratio', atMost: 1.5 },
  { figure: 'rename, 1,000,000 entries', of: 'ratio', atMost: 1.5 },
  { figure: 'changes after one change, 1,000,000 entries', of: 'ratio', atMost: 1.5 },
  { figure: 'move of a directory of 1,000, 1,000,000 entries', of: 'ratio', atMost: 1.5 },
  { figure: 'recycling a directory of 1,000, 1,000,000 entries', of: 'ratio', atMost: 2 },
  { figure: 'restoring it, 1,000,000 entries', of: 'ratio', atMost: 2 },
  { figure: 'process start to listening, 1,000,000 entries', of: 'ratio', atMost: 1.2 },
  { figure: 'memory after the start, 1,000,000 entries', of: 'ratio', atMost: 1.1 },
  { figure: 'pages, uploads and downloads, 100 accounts', of: 'ratio', atLeast: 0.8 },
  { figure: 'event to 100 streams', of: 'value', atMost: 2 },
  { figure: 'event to a stream at another instance', of: 'value', atMost: 100 },
  { figure: 'login', of: 'value', atLeast: 100 },
  { figure: 'p99 of a ping, during four uploads to quiet', of: 'value', atMost: 3 },
  { figure: 'idle memory', of: 'value', atMost: 80 },
  { figure: 'process start to listening', of: 'value', atMost: 400 },
];

export interface Measured {
  readonly value: number;
  /** Null if there is no partner. */
  readonly ratio: number | null;
}

/** Null if the value of the goal was not measured. */
export function isReached(goal: Goal, { value, ratio }: Measured): boolean | null {
  if (value >= (goal.orValueAtLeast ?? Infinity)) return true;
  const measured = goal.of === 'ratio' ? ratio : value;
  if (measured === null) return null;
  return measured >= (goal.atLeast ?? -Infinity) && measured <= (goal.atMost ?? Infinity);
}
