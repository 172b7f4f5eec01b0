import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import pg from 'pg';
import { Database } from '../../server/src/database/database.ts';
import { migrate } from '../../server/src/database/migrator.ts';
import { openPostgres } from '../../server/src/database/postgres/postgres.ts';
import { openSqlite } from '../../server/src/database/sqlite/sqlite.ts';
import { isServerBuilt } from '../build/build-server.ts';
import { isWebBuilt } from '../build/build-web.ts';
import { startBrowserServer } from '../chromium.ts';
import { startPostgres } from '../engines/postgres/postgres.ts';
import { startS3 } from '../engines/s3/s3.ts';
import { needArchivers } from '../programs/archivers.ts';
import { needCoturn } from '../programs/coturn.ts';
import { needPrograms } from '../programs/debian-packages.ts';
import { needNginx } from '../programs/nginx.ts';
import { needWebdavPrograms } from '../programs/webdav-programs.ts';
import type { Need, TestJob } from './plan.ts';

// What test files need besides their own process: database servers, an object store, a browser, programs.
// Each is started once per run, and only if a job needs it.

const RESOURCES = [
  'sqlite',
  'postgres',
  's3',
  'build',
  'browser',
  'nginx',
  'archivers',
  'webdav',
  'coturn',
  'ffmpeg',
] as const;
type ResourceName = (typeof RESOURCES)[number];

/** A resource that could not be started, with the reason as a sentence for the user. */
export interface MissingResource {
  readonly name: ResourceName;
  readonly reason: string;
}

/** A started resource. */
interface Resource {
  /** Environment variables that tell test files where the resource is. */
  readonly environment?: Readonly<Record<string, string>>;
  stop?(): Promise<void>;
}

const NO_S3 =
  'There is no S3 store to test with; where that is possible, local disk takes its place ' +
  '(--engine sqlite and --engine postgres need no S3 store).';

const BUILD = path.join(import.meta.dirname, '..', 'build', 'main.ts');

const STARTERS: Readonly<Record<ResourceName, () => Promise<Resource>>> = {
  sqlite: async () => {
    const file = path.join(tmpdir(), 'template.db');
    await createSqliteTemplate(file);
    return { environment: { HOLDALL_TEST_SQLITE_TEMPLATE: file } };
  },
  postgres: async () => {
    const { url, stop } = await startPostgres({ fsync: false });
    const template = await createPostgresTemplate(url);
    return {
      environment: { HOLDALL_TEST_POSTGRES: url, HOLDALL_TEST_TEMPLATE: template },
      stop,
    };
  },
  s3: async () => {
    const { settings, stop } = await startS3().catch((cause: unknown) => {
      throw new Error(`${NO_S3} ${cause instanceof Error ? cause.message : cause}`, { cause });
    });
    return { environment: { HOLDALL_TEST_S3: JSON.stringify(settings) }, stop };
  },
  build: async () => {
    if (!isServerBuilt() || !isWebBuilt()) await build();
    return {};
  },
  browser: async () => {
    const { endpoint, stop } = await startBrowserServer();
    return { environment: { HOLDALL_TEST_BROWSER: endpoint }, stop };
  },
  nginx: async () => {
    await needNginx();
    return {};
  },
  archivers: async () => {
    await needArchivers();
    return {};
  },
  webdav: async () => {
    await needWebdavPrograms();
    return {};
  },
  coturn: async () => {
    await needCoturn();
    return {};
  },
  ffmpeg: async () => {
    await needPrograms(['ffmpeg'], ['ffmpeg']);
    return {};
  },
};

/** Whether a need is a resource with the same name. */
function isResource(need: Need): need is Need & ResourceName {
  return RESOURCES.some((name) => name === need);
}

/** The resources that a job requires. */
export function requirementsOf({ engine, needs }: TestJob): readonly ResourceName[] {
  const names: ResourceName[] = needs.filter(isResource);
  if (engine === 'sqlite') names.push('sqlite');
  if (engine === 'postgres' || engine === 's3') names.push('postgres');
  if (engine === 's3' || needs.includes('bucket')) names.push('s3');
  if (needs.includes('browser')) names.push('build');
  return names;
}

/** The resources of a run. Their variables are set in this process, and test files inherit them. */
export class Resources {
  readonly #starts = new Map<ResourceName, Promise<Resource>>();

  /** Starts what the jobs require, in parallel. */
  constructor(jobs: readonly TestJob[]) {
    for (const name of new Set(jobs.flatMap(requirementsOf))) {
      const start = STARTERS[name]().then((resource) => {
        Object.assign(process.env, resource.environment);
        return resource;
      });
      // findMissing() reports the error.
      start.catch(() => {});
      this.#starts.set(name, start);
    }
  }

  /** Resolves when the job can run, or when it is clear that it cannot. */
  async waitFor(job: TestJob): Promise<void> {
    const names: ResourceName[] = [...requirementsOf(job)];
    // A service looks for the web client at its start, so it must not find a half-built one.
    if (job.engine !== undefined) names.push('build');
    await Promise.allSettled(names.map((name) => this.#starts.get(name)));
  }

  /** Finds the first resource of the job that could not be started. */
  async findMissing(job: TestJob): Promise<MissingResource | undefined> {
    for (const name of requirementsOf(job)) {
      try {
        await this.#starts.get(name);
      } catch (error) {
        return { name, reason: error instanceof Error ? error.message : String(error) };
      }
    }
    return undefined;
  }

  async stop(): Promise<void> {
    const started = await Promise.allSettled(this.#starts.values());
    await Promise.allSettled(
      started.map((start) => (start.status === 'fulfilled' ? start.value.stop?.() : undefined)),
    );
  }
}

/** Builds in a separate process, because the bundlers would block this one for many seconds. */
async function build(): Promise<void> {
  const program = spawn(process.execPath, [BUILD], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, [code]] = await Promise.all([text(program.stderr), once(program, 'close')]);
  if (code !== 0) throw new Error(said.trim());
}

const NAME = 'holdall_template';

/** No account has the id of a drive, so a test fails where one is taken for the other. */
const FIRST_DRIVE = 1_000_000;

/** Creates an SQLite database with the current schema in one file. Tests copy it. */
async function createSqliteTemplate(file: string): Promise<void> {
  const database = new Database(openSqlite(file));
  try {
    await migrate(database);
    await database.transact((tx) =>
      sql`insert into sqlite_sequence (name, seq) values ('drive', ${FIRST_DRIVE - 1})`.execute(tx),
    );
  } finally {
    await database.close();
  }
}

/**
 * Creates a database with the current schema, and returns its name. Tests copy it, which takes a quarter of
 * the time of the migrations.
 *
 * @param url the URL of a user who may create databases
 */
async function createPostgresTemplate(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${NAME}`);
    const template = new URL(url);
    template.pathname = `/${NAME}`;
    const database = new Database(openPostgres(template.href, () => {}));
    try {
      await migrate(database);
      await database.transact((tx) =>
        sql`alter table drive alter column id restart with ${sql.lit(FIRST_DRIVE)}`.execute(tx),
      );
    } finally {
      await database.close();
    }
    await storeCatalogCache(template.href);
  } finally {
    await client.end();
  }
  return NAME;
}

/**
 * The first connection to a database caches the catalog in a file. Here it does so before the database is
 * copied, so that the first connection to each copy need not do it again.
 */
async function storeCatalogCache(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.end();
}
