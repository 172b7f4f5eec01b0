import { readFileSync } from 'node:fs';

/** In a second, on every Linux of today. */
const CLOCK_TICKS = 100;

/** Memory of a program in bytes: `VmRSS` as it is now, `VmHWM` at its highest since the start (proc(5), Linux). */
export function readMemoryBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status does not name ${field}`);
  return Number(kibibytes) * 1_024;
}

/** What the program has taken of the processor since its start, for itself and in the system (proc(5), Linux). */
export function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name, which may have blanks in it, `utime` and `stime` are the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}
