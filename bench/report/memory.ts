import { readFileSync, writeFileSync } from 'node:fs';
import type { Run } from './figure.ts';

/** Clock ticks per second, on every current Linux. */
const CLOCK_TICKS = 100;

/** Memory of a process in bytes: `VmRSS` now, `VmHWM` at its peak since the start (proc(5), Linux). */
export function readMemoryBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status does not name ${field}`);
  return Number(kibibytes) * 1_024;
}

/** Resets the peak memory of a process, `VmHWM`, to the current value (proc_pid_clear_refs(5), Linux). */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/**
 * The memory of a process in bytes. Pages shared with other processes are divided among them (proc(5),
 * Linux).
 */
export function readProportionalBytes(pid: number): number {
  const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/smaps_rollup does not name Pss`);
  return Number(kibibytes) * 1_024;
}

/** Runs the work and adds the processor time that the process took per operation. */
export async function withCpu(
  pid: number,
  work: () => Promise<{ readonly value: number; readonly operations: number }>,
): Promise<Run> {
  const before = readCpuSeconds(pid);
  const { value, operations } = await work();
  return { value, cpuMs: ((readCpuSeconds(pid) - before) * 1_000) / operations };
}

/** CPU time of a process since its start, user and system (proc(5), Linux). */
function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may contain spaces. After it, `utime` and `stime` are the 12th and 13th fields.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}
