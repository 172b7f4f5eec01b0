import { readFileSync } from 'node:fs';

/** Memory of a program in bytes: `VmRSS` as it is now, `VmHWM` at its highest since the start (proc(5), Linux). */
export function readMemoryBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status does not name ${field}`);
  return Number(kibibytes) * 1_024;
}
