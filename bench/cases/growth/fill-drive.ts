import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toSortName } from '../../../server/src/base/text/names/sort-name.ts';
import { USERNAME } from '../../service.ts';

/** Files of most directories. */
const FILES = 100;
/** Such directories of each directory above them. */
const DIRECTORIES = 100;
/** One in this many of the added files goes into a single large directory. */
const LARGE_SHARE = 10;
/** Occurs in one name of each account. */
export const RARE_WORD = 'Zanzibar';
/** A directory in the root of the drive with as many files as are moved and recycled together. */
export const MOVED = 'moved';
/** The directory in the root of the drive that has the most files. */
export const LARGE = 'large';

/**
 * Adds entries to the drive of the account as the service does, while it does not run: files with a blob
 * each, which have no bytes, and their directories.
 *
 * @param like the id of an uploaded file, which the new ones resemble
 */
export class DriveFiller {
  readonly #file: string;
  readonly #like: number;

  constructor(dataDir: string, like: number) {
    this.#file = path.join(dataDir, 'holdall.db');
    this.#like = like;
  }

  /** Creates {@link MOVED} with so many files, and {@link LARGE} with a hundred. */
  addFirst(count: number): void {
    this.#change((database) => {
      const moved = this.#addDirectories(database, this.#rootId(database), [MOVED, LARGE]);
      this.#addFiles(database, { first: moved + 1, directories: 1, files: FILES, number: 0 });
      this.#addFiles(database, { first: moved, directories: 1, files: count, number: 0 });
      database.exec(`update entry set name = '${RARE_WORD}.jpg', folded_name = '${RARE_WORD.toLowerCase()}.jpg',
          sort_name = '${toSortName(`${RARE_WORD}.jpg`)}'
        where id = (select max(id) from entry)`);
    });
  }

  /** Adds about so many entries: a part to {@link LARGE}, the others in directories of a hundred files. */
  add(count: number): void {
    this.#change((database) => {
      const root = this.#rootId(database);
      const number = nextId(database);
      const large = Math.ceil(count / LARGE_SHARE);
      const id = readId(database, `select id from entry where parent_id = ${root} and name = '${LARGE}'`);
      this.#addFiles(database, { first: id, directories: 1, files: large, number });
      const branches = Math.ceil((count - large) / (FILES + 1));
      const above = Math.ceil(branches / DIRECTORIES);
      const names = (prefix: string, length: number) =>
        Array.from({ length }, (_, index) => `${prefix} ${number + index}`);
      const parent = this.#addDirectories(database, root, names('year', above));
      const first = this.#addDirectories(database, parent, names('day', branches), DIRECTORIES);
      const files = count - large - branches - above;
      this.#addFiles(database, { first, directories: branches, files, number: number + large });
    });
  }

  /** Records that each new file was created, in the events of the drive. Returns how many these are. */
  addEvents(): number {
    let added = 0;
    this.#change((database) => {
      const { changes } = database
        .prepare(`
        insert into event (owner_id, event_type, entry_id, to_path, payload, created_at)
        select owner_id, 'CREATED', id, '/somewhere/in/the/drive/' || name,
          json_object('filename', name, 'path', '/somewhere/in/the/drive/' || name, 'directory', json('false'),
            'size', size, 'contentType', content_type), ${Date.now()}
        from entry where is_directory = 0 and id > (select coalesce(max(entry_id), 0) from event)`)
        .run();
      added = Number(changes);
    });
    return added;
  }

  /** The id of the newest event. May be called while the service runs. */
  lastEventId(): number {
    const database = new DatabaseSync(this.#file, { readOnly: true });
    try {
      return readId(database, 'select max(id) as id from event');
    } finally {
      database.close();
    }
  }

  /** @param perParent how many of them each directory from `parent` on gets; without it, `parent` gets all */
  #addDirectories(
    database: DatabaseSync,
    parent: number,
    names: readonly string[],
    perParent = names.length,
  ): number {
    const first = nextId(database);
    const insert = database.prepare(`
      insert into entry (id, owner_id, parent_id, name, folded_name, sort_name, is_directory, size, created_at, updated_at, modified_at)
      select ?, owner_id, ?, ?, ?, ?, 1, 0, created_at, updated_at, modified_at from entry where id = ${this.#like}`);
    names.forEach((name, index) => {
      insert.run(first + index, parent + Math.floor(index / perParent), name, name, toSortName(name));
    });
    return first;
  }

  /** Spreads files over directories whose ids follow each other. */
  #addFiles(
    database: DatabaseSync,
    target: { first: number; directories: number; files: number; number: number },
  ): void {
    const { first, directories, files, number } = target;
    const entry = nextId(database);
    const blob = readId(database, 'select max(id) + 1 as id from blob');
    // Half of them look like photos; the others have words that many names have.
    database.exec(`
      create temp table number as
        with recursive number (n) as (select 0 union all select n + 1 from number where n + 1 < ${files})
        select n, case when n % 2 = 0 then printf('IMG_%08d.jpg', ${number} + n)
          else printf('%s %s %d.jpg', case n % 7 when 0 then 'Summer' when 1 then 'Invoice' else 'Garden' end,
            case n % 11 when 0 then 'holiday' when 1 then 'draft' else 'report' end, ${number} + n) end as name
        from number;
      insert into blob (id, object_key, kind, size, sha256, crc32, content_type, reference_count, created_by, created_at, policy_id)
        select ${blob} + n, 'grown/' || (${blob} + n), kind, size, sha256, crc32, content_type, 1, created_by,
          created_at, policy_id
        from number, blob where blob.id = (select blob_id from entry where id = ${this.#like});
      -- The sort keys have the length of real ones.
      insert into entry (id, owner_id, parent_id, name, folded_name, sort_name, is_directory, blob_id, size, content_type,
          kind, created_at, updated_at, modified_at)
        select ${entry} + n, owner_id, ${first} + n % ${directories}, number.name, lower(number.name), lower(number.name), 0,
          ${blob} + n, size, content_type, kind, created_at - n, updated_at - n, modified_at - n
        from number, entry where entry.id = ${this.#like};
      drop table number`);
  }

  #rootId(database: DatabaseSync): number {
    return readId(database, `select parent_id as id from entry where id = ${this.#like}`);
  }

  /** Runs the change in one transaction, and then brings what is counted up to date. */
  #change(work: (database: DatabaseSync) => void): void {
    const database = new DatabaseSync(this.#file);
    try {
      database.exec('begin immediate');
      work(database);
      database.exec(`
        update entry set child_count = counted.children
          from (select parent_id, count(*) as children from entry where parent_id is not null group by 1) as counted
          where counted.parent_id = entry.id;
        update account set (entry_count, file_count, storage_used_bytes) =
            (select count(*) - 1, count(blob_id), sum(size) from entry where owner_id = account.id)
          where username = '${USERNAME}';
        commit`);
      database.exec('pragma wal_checkpoint(truncate)');
    } finally {
      database.close();
    }
  }
}

function nextId(database: DatabaseSync): number {
  return readId(database, 'select max(id) + 1 as id from entry');
}

function readId(database: DatabaseSync, question: string): number {
  return Number(database.prepare(question).get()?.id);
}
