// tier: default
// runs on: sqlite
// runs on, with --full: postgres
// Faults in rows. object-faults.test.ts has those in objects.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { toSortName } from '../../src/base/text/names/sort-name.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { type Damage, fillDrives, rulesOf, testDamages } from '../support/checks/damage.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { sabotage } from '../support/checks/sabotage.ts';

const holdall = await startHoldall();
const { app } = holdall;
const { database } = app;
let alice: Person;
let bob: Person;

before(async () => {
  ({ alice, bob } = await fillDrives(holdall));
});

test('a drive in use has no faults, and everything in it is checked', async () => {
  const { faults, report } = await diagnose(app, { isDeep: true });
  assert.deepEqual(faults, []);
  const { checked } = report;
  assert.equal(checked.drives, 3);
  assert.equal(checked.objects, checked.blobs);
  assert.ok((checked['files and directories'] ?? 0) > 15);
});

/** Runs SQL statements, in which `:name` stands for the id of the entry with that name. */
async function run(...statements: readonly string[]): Promise<void> {
  const entries = await database.db.selectFrom('entry').select(['id', 'name']).orderBy('id').execute();
  const ids = new Map(entries.toReversed().map(({ id, name }) => [name.split('.')[0], id]));
  await sabotage(
    holdall,
    ...statements.map((statement) =>
      statement.replaceAll(/:(\w+)/g, (_, name) => String(ids.get(name) ?? assert.fail(`no ${name}`))),
    ),
  );
}

const blobOf = (name: string) => `(select blob_id from entry where id = :${name})`;
const userOf = (person: () => Person) => `(select id from account where username = '${person().username}')`;
const driveOf = (person: () => Person) =>
  `(select drive.id from drive join account on account.id = drive.account_id
    where username = '${person().username}')`;

const addToCounts = (person: () => Person, { files = 0, entries = 0 }) =>
  `update drive set file_count = file_count + ${files}, entry_count = entry_count + ${entries}
    where id = ${driveOf(person)}`;

const DAMAGES: readonly Damage[] = [
  {
    title: 'a usage that is too high',
    damage: () => run(`update drive set used_bytes = used_bytes + 7 where id = ${driveOf(() => alice)}`),
    rules: ['usage'],
  },
  {
    title: 'a usage that is too low',
    damage: () => run(`update drive set used_bytes = 0 where id = ${driveOf(() => alice)}`),
    rules: ['usage'],
  },
  {
    title: 'a wrong count of children',
    damage: () => run('update entry set child_count = child_count + 1 where id = :deep'),
    rules: ['child-count'],
  },
  {
    title: 'a wrong folded name',
    damage: () => run(`update entry set folded_name = 'other' where id = :two`),
    rules: ['folded-name'],
  },
  {
    title: 'a stored accentless name of an entry without accents',
    damage: () => run(`update entry set plain_name = 'other' where id = :two`),
    rules: ['plain-name'],
  },
  {
    title: 'a wrong sort key',
    damage: () => run(`update entry set sort_name = 'other' where id = :two`),
    rules: ['sort-name'],
  },
  {
    title: 'a kind that does not match the content type',
    damage: () => run('update entry set kind = 0 where id = :two'),
    rules: ['kind'],
  },
  {
    title: 'a kind that is set for a directory',
    damage: () => run('update entry set kind = 5 where id = :deep'),
    rules: ['kind'],
  },
  {
    title: 'a star mark without a star',
    damage: () => run('update entry set is_starred = 1 where id = :deep'),
    rules: ['star'],
  },
  {
    title: 'a leftover mark of a copy that has ended',
    damage: () => run('update entry set copied_from = 1 where id = :deep'),
    rules: ['copy-mark'],
  },
  {
    title: 'a reference count that is too high',
    damage: () => run(`update blob set reference_count = 9 where id = ${blobOf('twice')}`),
    rules: ['reference-count'],
  },
  {
    title: 'a reference count that is too low, so that the bytes of a file would be removed',
    damage: () => run(`update blob set reference_count = 0, unreferenced_at = 1 where id = ${blobOf('one')}`),
    rules: ['reference-count'],
  },
  {
    title: 'a wrong reference count of a blob that belongs to a release',
    damage: () => run('update blob set reference_count = 4 where id = (select blob_id from mobile_release)'),
    rules: ['reference-count'],
  },
  {
    title: 'an entry whose size differs from that of its blob',
    damage: () =>
      run(
        'update entry set size = 100 where id = :one',
        `update drive set used_bytes = used_bytes + 96 where id = ${driveOf(() => alice)}`,
      ),
    rules: ['entry-size'],
    undo: () =>
      run(
        'update entry set size = 4 where id = :one',
        `update drive set used_bytes = used_bytes - 96 where id = ${driveOf(() => alice)}`,
      ),
  },
  {
    title: 'a file without a blob',
    damage: () =>
      run(
        `update entry set blob_id = 77777 where id = :empty`,
        'update blob set reference_count = 0, unreferenced_at = 5, removing_at = 5 where size = 0',
      ),
    rules: ['entry-blob'],
    undo: () =>
      run(
        'update entry set blob_id = (select id from blob where size = 0) where id = :empty',
        'update blob set reference_count = 1, unreferenced_at = null, removing_at = null where size = 0',
      ),
  },
  {
    title: 'an entry whose parent does not exist',
    damage: () =>
      run(
        'update entry set parent_id = 88888 where id = :one',
        'update entry set child_count = 2 where id = :deep',
      ),
    rules: ['parent'],
    undo: () =>
      run(
        'update entry set parent_id = :deep where id = :one',
        'update entry set child_count = 3 where id = :deep',
      ),
  },
  {
    title: 'an entry whose parent is a file',
    damage: () =>
      run(
        'update entry set parent_id = :empty where id = :one',
        'update entry set child_count = 2 where id = :deep',
        'update entry set child_count = 1 where id = :empty',
      ),
    rules: ['parent'],
    undo: () =>
      run(
        'update entry set parent_id = :deep where id = :one',
        'update entry set child_count = 3 where id = :deep',
        'update entry set child_count = 0 where id = :empty',
      ),
  },
  {
    title: 'a directory inside itself',
    damage: () =>
      run(
        'update entry set parent_id = :deep, child_count = 3 where id = :deep',
        `update entry set child_count = child_count - 1 where id = (select parent_id from entry where id = :twice)`,
        'update entry set child_count = 4 where id = :deep',
      ),
    rules: ['loop'],
    undo: () =>
      run(
        'update entry set parent_id = (select parent_id from entry where id = :twice), child_count = 3 where id = :deep',
        'update entry set child_count = child_count + 1 where id = (select parent_id from entry where id = :twice)',
      ),
  },
  {
    title: 'an entry in another drive than its directory',
    damage: () =>
      run(
        `update entry set drive_id = ${driveOf(() => bob)} where id = :empty`,
        addToCounts(() => alice, { files: -1, entries: -1 }),
        addToCounts(() => bob, { files: 1, entries: 1 }),
      ),
    rules: ['drive'],
    undo: () =>
      run(
        `update entry set drive_id = ${driveOf(() => alice)} where id = :empty`,
        addToCounts(() => alice, { files: 1, entries: 1 }),
        addToCounts(() => bob, { files: -1, entries: -1 }),
      ),
  },
  {
    title: 'a live entry in the bin',
    damage: () => run('update entry set deleted_at = null, bin_root_id = null where id = :inside'),
    // One fault for the directory itself, and one for its child.
    rules: ['bin', 'bin'],
    undo: () =>
      run(
        'update entry set deleted_at = (select deleted_at from entry where id = :binned), bin_root_id = :binned where id = :inside',
      ),
  },
  {
    title: 'a recycled entry in the drive',
    damage: () =>
      run(
        'update entry set deleted_at = 5, bin_root_id = 5 where id = :empty',
        addToCounts(() => alice, { files: -1 }),
      ),
    rules: ['bin'],
    undo: () =>
      run(
        'update entry set deleted_at = null, bin_root_id = null where id = :empty',
        addToCounts(() => alice, { files: 1 }),
      ),
  },
  {
    title: 'a recycled entry without its original path',
    damage: () => run('update entry set bin_parent_path = null where id = :binned'),
    rules: ['bin-place'],
    undo: () => run(`update entry set bin_parent_path = '/' where id = :binned`),
  },
  {
    title: 'two entries with the same name in one directory',
    damage: () =>
      run(
        'drop index entry__parent_id__name',
        `update entry set name = 'one.txt', folded_name = 'one.txt', sort_name = '${toSortName('one.txt')}' where id = :two`,
      ),
    rules: ['name-twice', 'name-twice'],
    undo: async () => {
      await sabotage(
        holdall,
        `update entry set name = 'two.txt', folded_name = 'two.txt', sort_name = '${toSortName('two.txt')}' where id = (select max(id) from entry where name = 'one.txt')`,
        'create unique index entry__parent_id__name on entry (parent_id, name)',
      );
    },
  },
  {
    title: 'a share of an entry that does not exist',
    damage: () => run('update share set entry_id = 99999'),
    rules: ['share-entry-id'],
    undo: () => run('update share set entry_id = :twice'),
  },
  {
    title: 'a share of an entry of another account',
    damage: () => run('update share set entry_id = :bob'),
    rules: ['share-drive'],
    undo: () => run('update share set entry_id = :twice'),
  },
  {
    title: 'a folder link to a directory that does not exist',
    damage: () => run('update folder_link set entry_id = 99999'),
    rules: ['folder-link-entry-id'],
    undo: () => run('update folder_link set entry_id = :deep'),
  },
  {
    title: 'a folder link to an entry of another account',
    damage: () => run('update folder_link set entry_id = :bob'),
    rules: ['folder-link-directory'],
    undo: () => run('update folder_link set entry_id = :deep'),
  },
  {
    title: 'a login session without an account',
    damage: () => run(`update session set account_id = 99999 where account_id = ${userOf(() => bob)}`),
    rules: ['session-account-id'],
    undo: () => run(`update session set account_id = ${userOf(() => bob)} where account_id = 99999`),
  },
  {
    title: 'an upload part without an upload session',
    damage: () =>
      run(`insert into upload_part (session_id, part_index, etag, size) values ('none', 1, 'x', 1)`),
    rules: ['upload-part-session-id'],
    undo: () => run(`delete from upload_part`),
  },
  {
    title: 'a blob of a policy that does not exist',
    damage: () =>
      run(
        `insert into blob (object_key, kind, size, reference_count, created_by, created_at, policy_id, unreferenced_at)
          values ('blobs/20260101/0000/lost', 'FILE', 1, 0, 1, 1, 555, 1)`,
      ),
    rules: ['blob-policy'],
    undo: () => run(`delete from blob where policy_id = 555`),
  },
];

describe('the doctor', () => {
  testDamages(holdall, DAMAGES);

  test('rolls a repair back if its audit entry fails', async () => {
    await run('update entry set child_count = child_count + 1 where id = :deep');
    const onRepair = () => Promise.reject(new Error('no audit'));
    await assert.rejects(diagnose(app, { onRepair }), /no audit/);
    assert.deepEqual(rulesOf((await diagnose(app)).faults), ['child-count']);
    await diagnose(app, { onRepair: async () => {} });
    assert.deepEqual((await diagnose(app)).faults, []);
  });

  test('reports more faults than fit on a page', async () => {
    await alice.mkdir('/many');
    const [parent] = await database.db.selectFrom('entry').selectAll().where('name', '=', 'many').execute();
    assert.ok(parent);
    const { drive_id, created_at } = parent;
    await run(`insert into entry (drive_id, parent_id, name, folded_name, sort_name, is_directory, size, child_count, created_at,
        updated_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 1100)
      select ${drive_id}, :many, 'e' || i, 'wrong' || i, 'e' || substr('BCDEF', 1 + length('' || i), 1) || i, 1, 0, 0, ${created_at}, ${created_at} from n`);
    await run('update entry set child_count = 1100 where id = :many');
    await run(addToCounts(() => alice, { entries: 1_100 }));
    const { faults, report } = await diagnose(app, { onRepair: async () => {} });
    assert.equal(faults.length, 1_100);
    assert.equal(report.repaired, 1_100);
    assert.deepEqual((await diagnose(app)).faults, []);
  });
});
