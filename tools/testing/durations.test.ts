// tier: default
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Durations } from './durations.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'holdall-durations-'));
after(() => rmSync(directory, { recursive: true }));
const filled = path.join(directory, 'new');
const job = { file: 'x.test.ts', engine: 'sqlite', needs: [] } as const;

test('the seconds of a run are the estimates for the next one, per engine', () => {
  const durations = Durations.read(filled, 'full');
  durations.set(job, 12.34);
  durations.write();
  assert.equal(Durations.read(filled, 'full').expect(job), 12.3);
  assert.notEqual(Durations.read(filled, 'full').expect({ ...job, engine: 'postgres' }), 12.3);
});

test('each tier has its own record, and a default run is expected to be shorter', () => {
  const [inDefault, inFull] = (['default', 'full'] as const).map((tier) =>
    Durations.read(filled, tier).expect(job),
  );
  assert.equal(inFull, 12.3);
  assert.ok(inDefault !== undefined && inDefault < 12);
});

test('without a record, a file with a browser is expected to take longest', () => {
  const durations = Durations.read(path.join(directory, 'none'), 'full');
  const browser = durations.expect({ ...job, needs: ['browser'] });
  assert.ok(browser > durations.expect({ ...job, engine: 's3' }));
  assert.ok(durations.expect(job) > durations.expect({ ...job, engine: undefined }));
});

test('without a record, longer browser files and files with their own process get higher estimates', () => {
  const durations = Durations.read(path.join(directory, 'none'), 'full');
  // Any two files of the repository will do.
  const [short, long] = ['tools/testing/queue.ts', 'tools/testing/tally.ts'].map((file) =>
    durations.expect({ ...job, file, needs: ['browser'] }),
  );
  assert.ok(short !== undefined && long !== undefined && short < long);
  assert.ok(durations.expect({ ...job, needs: ['process'] }) > durations.expect(job));
});

test('a damaged record is ignored', () => {
  writeFileSync(path.join(directory, 'test-seconds-long.json'), '{');
  assert.ok(Durations.read(directory, 'long').expect(job) > 0);
});
