// tier: full
// runs on: sqlite
// needs: webdav
//
// rclone with a large file, when it is killed and restarted, and what rclone detects about the drive.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runWebdavProgram } from '../../../tools/programs/webdav-programs.ts';
import { isLong } from '../../../tools/testing/tiers.ts';
import { createAppPassword } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { listStoredFiles, untilStored } from '../support/drive/stored-files.ts';

const MIB = 1024 * 1024;
const LARGE_MIB = isLong ? 500 : 12;
/** Makes the large file take about three seconds, so that rclone can be killed in the middle. */
const SLOWLY = ['--bwlimit', `${Math.ceil(LARGE_MIB / 3)}M`];
const SMALL = ['a.txt', 'b.txt'];
const LIMIT = { timeout: isLong ? 600_000 : 120_000 };

const holdall = await startHoldall();
const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-rclone-'));
after(() => rm(scratch, { recursive: true }));
const from = path.join(scratch, 'from');
const to = path.join(scratch, 'to');
let alice: Person;

/** Sets rclone up as the documentation says. */
before(async () => {
  alice = await holdall.register('alice');
  const { password } = await createAppPassword(alice);
  const documentation = await readFile(new URL('../../../docs/webdav.md', import.meta.url), 'utf8');
  const [, command = ''] = /^rclone (config create .*)$/m.exec(documentation) ?? [];
  const args = command
    .replace('https://drive.example.org', holdall.url)
    .replace('NAME', alice.username)
    .replace('APP-PASSWORD', password)
    .split(' ');
  await rclone(args);
  assert.equal(await rclone(['lsf', 'drive:']), 'Documents/\nDownloads/\nPictures/\n');
});

/** Runs rclone, which must succeed. Returns its output. */
async function rclone(args: readonly string[]): Promise<string> {
  const { output, code } = await runWebdavProgram('rclone', { args, directory: scratch });
  assert.equal(code, 0, `rclone ${args.join(' ')}\n${output}`);
  return output;
}

/** Runs rclone, and kills it once the condition is true. */
async function interrupt(args: readonly string[], isTime: () => Promise<boolean>): Promise<void> {
  const killer = new AbortController();
  const run = runWebdavProgram('rclone', { args, directory: scratch, killed: killer.signal });
  let isOver = false;
  const end = run.finally(() => {
    isOver = true;
  });
  while (!isOver && !(await isTime())) await sleep(10);
  killer.abort();
  const { code, output } = await end;
  assert.equal(code, null, `rclone ended before it was killed: ${output}`);
}

async function largestOf(files: readonly string[]): Promise<number> {
  const sizes = files.map((file) =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return Math.max(0, ...(await Promise.all(sizes)));
}

const isThirdTransferred = async (files: readonly string[]) =>
  (await largestOf(files)) > (LARGE_MIB * MIB) / 3;

test('an upload that is killed leaves nothing behind', LIMIT, async () => {
  await mkdir(from);
  for (const name of SMALL) await writeFile(path.join(from, name), name);
  const large = await open(path.join(from, 'large.bin'), 'w');
  const piece = Buffer.alloc(MIB);
  for (let written = 0; written < LARGE_MIB; written += 1) await large.write(randomFillSync(piece));
  await large.close();

  const storedBefore = (await listStoredFiles(holdall)).length;
  await interrupt(['copy', ...SLOWLY, from, 'drive:backup'], async () =>
    isThirdTransferred(await listStoredFiles(holdall)),
  );
  await untilStored(holdall, storedBefore + SMALL.length);
  assert.deepEqual(await alice.names('/backup'), SMALL);
});

test('the run after a killed upload uploads what is missing', LIMIT, async () => {
  const output = await rclone(['copy', '-v', from, 'drive:backup']);
  assert.deepEqual(
    [...output.matchAll(/INFO +: (\S+): Copied/g)].map(([, name]) => name),
    ['large.bin'],
  );
  await rclone(['check', '--download', from, 'drive:backup']);
});

test('the run after a killed download in several ranges completes it', LIMIT, async () => {
  const download = ['copy', '--multi-thread-cutoff', '1M', 'drive:backup', to];
  await interrupt([...SLOWLY, ...download], async () => {
    const names = await readdir(to).catch(() => []);
    return isThirdTransferred(names.map((name) => path.join(to, name)));
  });
  await rclone(download);
  await rclone(['check', '--download', to, 'drive:backup']);
});

const INFO = [
  [
    'streams, and names in every normalization',
    ['--check-normalization', '--check-streaming'],
    [/^canStream = true$/m, /^canWriteUnnormalized = true$/m, /^canReadRenormalized +=/m],
  ],
  [
    'names of 255 bytes',
    ['--check-length'],
    [
      /^maxFileLength = 255 \/\/ for 1 byte/m,
      /^maxFileLength = 127 \/\/ for 2 byte/m,
      /^maxFileLength = 85 \/\/ for 3 byte/m,
      /^maxFileLength = 63 \/\/ for 4 byte/m,
    ],
  ],
  [
    'names with any character but control characters, slashes and backslashes',
    ['--check-control'],
    [/'\/', '\\\\', '\\a', [^"*:<>?|]*'\\xfe'$/m],
  ],
] as const;

// All but the first take half a minute each.
for (const [what, checks, findings] of isLong ? INFO : INFO.slice(0, 1)) {
  test(`rclone detects that the drive stores ${what}`, LIMIT, async () => {
    const directory = `/info ${checks[0]}`;
    await alice.mkdir(directory);
    const output = await rclone(['test', 'info', '-q', ...checks, `drive:${directory}`]);
    for (const finding of findings) assert.match(output, finding);
  });
}

test('after all runs of rclone the books balance', () => checkBooks(holdall));
