import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Fault } from '../../../src/doctor/doctor.ts';
import { nameRelease } from '../../../src/releases/releases.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import { packageOf } from '../zip/android-package.ts';
import { checkBooks } from './books.ts';
import { diagnose } from './diagnose.ts';

/** A fault that the doctor must find. */
export interface Damage {
  readonly title: string;
  readonly damage: () => Promise<unknown>;
  /** The rules of exactly the faults that must be found. */
  readonly rules: readonly string[];
  /** Reverts the damage; undefined if the doctor can repair it. */
  readonly undo?: () => Promise<unknown>;
  readonly isDeep?: boolean;
}

/** Two drives with everything that the doctor examines: files, directories, a copy, a bin, links, a release. */
export async function fillDrives(holdall: Holdall): Promise<{ alice: Person; bob: Person }> {
  const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
  for (const name of ['one', 'two', 'three']) await alice.upload(`/Documents/deep/${name}.txt`, `${name}!`);
  const twice = await alice.upload('/Documents/twice.txt', 'twice');
  await alice.ask('POST', `/api/files/${twice.id}/copy`, { body: { path: '/Pictures' } });
  await alice.upload('/empty.txt', '');
  await alice.mkdir('/binned/inside');
  await alice.upload('/binned/inside/file.txt', 'recycled');
  const binned = (await alice.list('/')).items.find(({ filename }) => filename === 'binned');
  await alice.recycle(binned ?? assert.fail());
  await bob.upload('/bob.txt', 'bob');
  await alice.ask('POST', '/api/v2/shares', { body: { fileId: twice.id } });
  await alice.ask('POST', '/api/v2/folder-links', { body: { directoryId: null, mode: 'VIEW' } });
  const head = Readable.from([packageOf()]);
  await holdall.app.releases.publish(nameRelease('holdall', '1', 1), head, { alsoDo: async () => {} });
  return { alice, bob };
}

/** Tests that each damage is reported, and that the drives have no faults once it is repaired or reverted. */
export function testDamages(holdall: Holdall, damages: readonly Damage[]): void {
  for (const { title, damage, rules, undo, isDeep = false } of damages) {
    test(`reports ${title}, and nothing else${undo === undefined ? ', and repairs it' : ''}`, async () => {
      await damage();
      assert.deepEqual(rulesOf((await diagnose(holdall.app, { isDeep })).faults), rules);
      const audited: Fault[] = [];
      const onRepair = async (_tx: unknown, fault: Fault) => void audited.push(fault);
      const { faults, report } = await diagnose(holdall.app, { isDeep, onRepair });
      assert.deepEqual(rulesOf(faults), rules);
      assert.equal(report.repaired, undo === undefined ? rules.length : 0);
      assert.deepEqual(rulesOf(audited), undo === undefined ? rules : []);
      for (const { sentence } of faults) assert.match(sentence, /^[A-Z"a-z].*\.$|\.txt|blobs\//);
      await undo?.();
      assert.deepEqual((await diagnose(holdall.app, { isDeep: true })).faults, []);
      await checkBooks(holdall);
    });
  }
}

export function rulesOf(faults: readonly Fault[]): string[] {
  return faults.map(({ rule }) => rule).sort();
}
