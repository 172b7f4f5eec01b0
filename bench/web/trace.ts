interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly dur?: number;
  /** Microseconds of CPU time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface TaskFigures {
  readonly longestMs: number;
  readonly longestCpuMs: number;
  readonly over50: number;
}

/** The tasks of the page's main thread in a Chromium trace. */
export function readTrace(trace: Buffer): TaskFigures {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: readonly TraceEvent[] };
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => /RunTask$/.test(name) && mainThreads.has(`${pid}:${tid}`),
  );
  const longest = (duration: (task: TraceEvent) => number) =>
    Math.round(Math.max(0, ...tasks.map(duration)) / 100) / 10;
  return {
    longestMs: longest(({ dur = 0 }) => dur),
    longestCpuMs: longest(({ tdur = 0 }) => tdur),
    over50: tasks.filter(({ dur = 0 }) => dur > 50_000).length,
  };
}
