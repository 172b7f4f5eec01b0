// The checks that need no running program: format and lint, types. The architecture check is a test.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.dirname(import.meta.dirname);

export interface Check {
  readonly title: string;
  /** The script and arguments for Node. */
  readonly command: readonly string[];
}

const BIOME = 'node_modules/@biomejs/biome/bin/biome';
const TYPESCRIPT = 'node_modules/typescript/bin/tsc';

/** One check for format and lint, and one type check per folder with its own tsconfig.json. */
export function listChecks(): Check[] {
  const folders = [
    '.',
    'web',
    'web/service-worker',
    'web/document-frames',
    'server/test/web',
    'client',
    'client/test',
    'cli',
  ];
  const typed = folders.filter((folder) => existsSync(path.join(root, folder, 'tsconfig.json')));
  return [
    { title: 'format and lint', command: [BIOME, 'ci', '--colors=off', '.'] },
    ...typed.map((folder) => ({
      title: folder === '.' ? 'types' : `types of ${folder}`,
      // One checker takes a third less processor time than several, and the folders are checked in parallel.
      command: [
        ...[TYPESCRIPT, '--noEmit', '--pretty', 'false', '--checkers', '1'],
        ...[...incremental(folder), '-p', folder],
      ],
    })),
  ];
}

/** TypeScript caches its results for unchanged files, which makes the next check several times faster. */
function incremental(folder: string): readonly string[] {
  const name = folder === '.' ? 'root' : folder.replaceAll('/', '-');
  return ['--incremental', '--tsBuildInfoFile', path.join(root, '.cache', 'types', `${name}.json`)];
}

export const architectureCheck: Check = {
  title: 'architecture',
  command: ['--test', 'server/test/architecture/architecture.test.ts'],
};

/** Runs all checks concurrently, shows the output of failed ones, and returns them. */
export async function runChecks(checks: readonly Check[], show: (text: string) => void): Promise<Check[]> {
  const waiting = [...checks];
  const failed: Check[] = [];
  const takeTurns = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const complaint = await findComplaint(check);
      if (complaint === undefined) continue;
      failed.push(check);
      show(`✖ ${check.title}\n${complaint.trim()}\n`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, takeTurns));
  return failed;
}

async function findComplaint({ command }: Check): Promise<string | undefined> {
  const program = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = new Promise<number | null>((resolve) => program.once('close', resolve));
  const [out, errors, code] = await Promise.all([text(program.stdout), text(program.stderr), end]);
  return code === 0 ? undefined : `${out}${errors}`;
}
