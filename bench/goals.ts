/** What the service has promised for a figure; `of` says whether for its value or its ratio to the bare server. */
export interface Goal {
  readonly figure: string;
  readonly of: 'value' | 'ratio';
  readonly atLeast?: number;
  readonly atMost?: number;
}

export const GOALS: readonly Goal[] = [
  { figure: 'ping with a token', of: 'ratio', atLeast: 0.3 },
  { figure: 'upload 4 KiB', of: 'ratio', atLeast: 0.25 },
  { figure: 'upload 1 GiB', of: 'ratio', atLeast: 0.6 },
  { figure: 'download 1 GiB', of: 'ratio', atLeast: 0.8 },
  { figure: 'peak memory, 1 GiB up and down', of: 'value', atMost: 200 },
  { figure: 'download 4 KiB', of: 'ratio', atLeast: 0.35 },
  { figure: 'download 1 MiB', of: 'ratio', atLeast: 0.75 },
  { figure: 'page of 100 out of 1,000', of: 'value', atLeast: 1_500 },
  { figure: 'page of 100 out of 10,000', of: 'value', atLeast: 1_500 },
  { figure: 'page of 100 out of 100,000', of: 'value', atLeast: 1_500 },
  { figure: 'time of a page, 100,000 to 1,000', of: 'value', atMost: 1.5 },
  { figure: 'move of 10,000 descendants', of: 'value', atMost: 2 },
  { figure: 'copy of 2,000 files', of: 'value', atMost: 60 },
  { figure: 'delete of 2,000 files', of: 'value', atMost: 40 },
  { figure: 'zip of 1,000 files', of: 'value', atLeast: 6_000 },
  { figure: 'login', of: 'value', atLeast: 100 },
  { figure: 'idle memory', of: 'value', atMost: 100 },
];

export function isReached(goal: Goal, measured: number): boolean {
  return measured >= (goal.atLeast ?? -Infinity) && measured <= (goal.atMost ?? Infinity);
}
