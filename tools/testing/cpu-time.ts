// Reads the processor time of programs from `/proc`. Without it (outside Linux), all times are 0.
import { readdirSync, readFileSync } from 'node:fs';

/** The unit of times in `/proc`, on every architecture that Node supports. */
const TICKS_PER_SECOND = 100;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly program: string;
  /** The processor time of the process and of its ended children. */
  readonly seconds: number;
}

const REPORT = 'CPU seconds: ';
let lastSeconds = 0;

/** Tells the runner how much time this process and its children have taken since the last report. */
export function reportCpuSeconds(context: { diagnostic(message: string): void }, file: string): void {
  // The time of a child that is just ending is missing here, and counts for the next file. That of a
  // grandchild whose parent was killed is lost, so the sum may even be smaller than before.
  const seconds = readCpuSeconds(process.pid);
  context.diagnostic(`${REPORT}${Math.max(0, seconds - lastSeconds).toFixed(2)} ${file}`);
  lastSeconds = seconds;
}

/** Reads such a report; undefined for any other message. */
export function parseCpuReport(message: string): { file: string; seconds: number } | undefined {
  if (!message.startsWith(REPORT)) return undefined;
  const [seconds = '', ...file] = message.slice(REPORT.length).split(' ');
  return { file: file.join(' '), seconds: Number(seconds) };
}

/** The seconds of a process and of all its descendants. */
export function readCpuSeconds(pid: number): number {
  return readCpuTimes(pid).seconds;
}

/** The same, plus the seconds of its running programs by name, highest first. */
export function readCpuTimes(pid: number): {
  readonly seconds: number;
  readonly byProgram: ReadonlyMap<string, number>;
} {
  const all = listProcesses();
  let seconds = all.find((process) => process.pid === pid)?.seconds ?? 0;
  const sums = new Map<string, number>();
  for (const descendant of descendantsOf(pid, all)) {
    seconds += descendant.seconds;
    sums.set(descendant.program, (sums.get(descendant.program) ?? 0) + descendant.seconds);
  }
  return { seconds, byProgram: new Map([...sums].sort(([, one], [, other]) => other - one)) };
}

function descendantsOf(pid: number, all: readonly Process[]): readonly Process[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
}

function listProcesses(): readonly Process[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  } catch {
    return [];
  }
}

/** One process, or none if it has ended meanwhile. */
function readProcess(pid: number): readonly Process[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain any character.
    const nameEnd = text.lastIndexOf(')');
    const program = text.slice(text.indexOf('(') + 1, nameEnd);
    // The rest starts at the third field: state, parent, … with the times in fields 14 to 17.
    const fields = text.slice(nameEnd + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid, parent: Number(fields[1]), program, seconds: ticks / TICKS_PER_SECOND }];
  } catch {
    return [];
  }
}
