// tier: default
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inFull } from '../testing/tiers.ts';
import { findProgram, type Machine, needPrograms } from './debian-packages.ts';

test('existing programs need neither apt nor root', async () => {
  const machine = await makeMachine(['one', 'two']);
  await needPrograms(['one', 'two'], ['package-of-both'], { ...machine, install: undefined });
  await needPrograms(['one', 'two'], ['package-of-both'], machine);
  assert.deepEqual(machine.installed, []);
});

test('missing programs are installed once for all callers, and never two at a time', async () => {
  const machine = await makeMachine(['one']);
  await Promise.all([
    needPrograms(['one', 'two'], ['two'], machine),
    needPrograms(['two'], ['two'], machine),
    needPrograms(['three'], ['three'], machine),
  ]);
  assert.deepEqual(machine.installed, ['two', 'three']);
  assert.equal(machine.most(), 1);
});

test('without permission to install, the error says what is missing and how to get it', async () => {
  const machine = await makeMachine(['one']);
  await assert.rejects(
    needPrograms(['one', 'two', 'three'], ['pair', 'third'], { ...machine, install: undefined }),
    /^Error: There is no two or three .*apt-get install --no-install-recommends pair third" as root/,
  );
});

test('a failed installation is reported, and the next caller may try again', async () => {
  const machine = await makeMachine([]);
  const install = () => Promise.reject(new Error('no network'));
  await assert.rejects(needPrograms(['one'], ['one'], { ...machine, install }), /no network/);
  await needPrograms(['one'], ['one'], machine);
});

test('packages that do not contain the program are an error', async () => {
  const machine = await makeMachine([]);
  await assert.rejects(needPrograms(['one'], ['other'], machine), /other are installed, but not one/);
});

test('a file that is not executable is not a program', async () => {
  const { places } = await makeMachine(['one']);
  await writeFile(path.join(places[0] ?? '', 'plain'), '', { mode: 0o644 });
  assert.equal(findProgram('one', places), path.join(places[0] ?? '', 'one'));
  assert.equal(findProgram('plain', places), undefined);
});

test('services are not started while packages are installed, and may start afterwards', async () => {
  const { policy, calls, run } = await makeApt('"$POLICY" nginx start; echo $? >>"$CALLS"');
  assert.equal(run('nginx').status, 0);
  const words = '-qq -o DPkg::Lock::Timeout=300';
  assert.deepEqual(calls(), [
    `${words} update`,
    '101',
    `${words} install -y --no-install-recommends nginx`,
    '101',
  ]);
  assert.equal(existsSync(policy), false);
});

test('an existing policy of the machine is not changed', async () => {
  const { policy, run } = await makeApt('true');
  await writeFile(policy, '#!/bin/sh\nexit 0\n');
  assert.equal(run('nginx').status, 0);
  assert.equal(readFileSync(policy, 'utf8'), '#!/bin/sh\nexit 0\n');
});

test('a lock held by another process is waited for', inFull, async () => {
  const { calls, run } = await makeApt(
    '[ $(wc -l <"$CALLS") -gt 1 ] || { echo "E: Could not get lock /var/lib/apt/lists/lock" >&2; exit 100; }',
  );
  assert.equal(run('one').status, 0);
  assert.deepEqual(
    calls().map((call) => /(update|install)/.exec(call)?.[0]),
    ['update', 'update', 'install'],
  );
});

test('a failed installation says why, even if nothing could be downloaded, and leaves no policy', async () => {
  const { policy, run } = await makeApt('echo "E: no way to $*" >&2; exit 100');
  const { status, stderr } = run('one');
  assert.equal(status, 1);
  assert.match(stderr, /no way to .*update[\s\S]*no way to .*install/);
  assert.equal(existsSync(policy), false);
});

/** A fake machine whose programs do nothing; "installing" creates one of them. */
async function makeMachine(programs: readonly string[]) {
  const place = await newDirectory();
  const add = (name: string) => writeFile(path.join(place, name), '#!/bin/sh\n', { mode: 0o755 });
  for (const name of programs) await add(name);
  const installed: string[] = [];
  let running = 0;
  let most = 0;
  const install: Machine['install'] = async (packages) => {
    running += 1;
    most = Math.max(most, running);
    for (const name of packages) {
      await add(name);
      installed.push(name);
    }
    running -= 1;
  };
  return { places: [place], install, installed, most: () => most };
}

/** A fake apt-get that records its calls and runs the script. */
async function makeApt(script: string) {
  const directory = await newDirectory();
  const [policy, log] = [path.join(directory, 'policy-rc.d'), path.join(directory, 'calls')];
  await writeFile(path.join(directory, 'apt-get'), `#!/bin/sh\necho "$*" >>"$CALLS"\n${script}\n`, {
    mode: 0o755,
  });
  return {
    policy,
    calls: () => readFileSync(log, 'utf8').trim().split('\n'),
    run: (...packages: readonly string[]) =>
      spawnSync('sh', [path.join(import.meta.dirname, 'install-packages.sh'), policy, ...packages], {
        encoding: 'utf8',
        env: { PATH: `${directory}:${process.env.PATH}`, POLICY: policy, CALLS: log },
      }),
  };
}

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-packages-'));
  after(() => rm(directory, { recursive: true }));
  return directory;
}
