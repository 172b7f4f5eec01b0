import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Leftovers } from '../tools/leftovers.ts';
import { ListeningProgram, type ProgramOptions } from '../tools/listening-program.ts';
import { startPostgres } from '../tools/postgres.ts';
import { needS3, startS3 } from '../tools/s3.ts';
import { type S3Settings, toServiceEnvironment } from '../tools/s3-client.ts';
import type { S3Options } from '../tools/s3-cluster.ts';
import type { Pinning } from './pinning.ts';
import type { Scale } from './scale.ts';
import { ADMIN_PASSWORD, INVITE_CODE, Service } from './service.ts';

export interface StageOptions {
  readonly scale: Scale;
  readonly pinning: Pinning;
  readonly leftovers: Leftovers;
  /** Where the directories of the servers are made. */
  readonly dataRoot: string;
  /** The service's main file. */
  readonly entry: string;
  readonly logLevel: string;
  /** Where V8's CPU profiles go; undefined takes none. */
  readonly profileDirectory: string | undefined;
  readonly say: (text: string) => void;
}

/** The bare server of the same run. */
export interface Bare {
  readonly port: number;
  /** Makes a file that it serves under `/api/files/download/NAME`. */
  put(name: string, content: Buffer): void;
}

/** A case that this machine cannot run, with a sentence for the person. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

const BARE_SERVER = path.join(import.meta.dirname, 'bare-server.ts');

/** What a case works with: fresh servers, each with a directory of its own, gone when the case is done. */
export class Stage {
  readonly scale: Scale;
  readonly say: (text: string) => void;
  readonly #options: StageOptions;

  constructor(options: StageOptions) {
    this.scale = options.scale;
    this.say = options.say;
    this.#options = options;
  }

  /**
   * A new service with an account that is logged in.
   * @param s3 where it keeps its bytes, below a prefix of its own; otherwise in its directory
   * @param databaseUrl of an empty PostgreSQL database; otherwise SQLite in its directory
   */
  withService<T>(use: (service: Service) => Promise<T>, s3?: S3Settings, databaseUrl?: string): Promise<T> {
    return this.withNewService(
      async (program) => {
        const service = await Service.signUp(program);
        try {
          return await use(service);
        } finally {
          service.close();
        }
      },
      s3,
      databaseUrl,
    );
  }

  /** A new service that nobody has called yet. */
  withNewService<T>(
    use: (program: ListeningProgram) => Promise<T>,
    s3?: S3Settings,
    databaseUrl?: string,
  ): Promise<T> {
    const { entry, logLevel } = this.#options;
    return this.#withProgram(
      (directory) => ({
        script: entry,
        nodeArguments: this.#profileArguments(),
        environment: {
          HOLDALL_PORT: '0',
          HOLDALL_DATA_DIR: directory,
          HOLDALL_RATE_LIMITS: 'off',
          HOLDALL_LOG_LEVEL: logLevel,
          HOLDALL_ADMIN_PASSWORD: ADMIN_PASSWORD,
          HOLDALL_INVITE_CODE: INVITE_CODE,
          ...(s3 === undefined ? {} : toServiceEnvironment(s3, randomUUID())),
          ...(databaseUrl === undefined ? {} : { HOLDALL_DATABASE_URL: databaseUrl }),
        },
      }),
      use,
    );
  }

  withBare<T>(use: (bare: Bare) => Promise<T>): Promise<T> {
    return this.#withProgram(
      (directory) => ({ script: BARE_SERVER, scriptArguments: [directory] }),
      (program, directory) =>
        use({
          port: Number(program.url.port),
          put: (name, content) => writeFileSync(path.join(directory, name), content),
        }),
    );
  }

  /** Another server beside which the service is measured, on the same core. */
  withPeer<T>(script: string, use: (program: ListeningProgram) => Promise<T>): Promise<T> {
    return this.#withProgram((directory) => ({ script, scriptArguments: [directory] }), use);
  }

  /** A new S3 store with an empty bucket, on any core. @throws LeftOut where there is none to be had */
  async withS3<T>(use: (settings: S3Settings) => Promise<T>, options: S3Options = {}): Promise<T> {
    await needS3().catch((cause) => {
      throw new LeftOut(cause instanceof Error ? cause.message : String(cause), { cause });
    });
    const s3 = await startS3({ ...options, prefix: this.#options.pinning.storePrefix });
    try {
      return await use(s3.settings);
    } finally {
      await s3.stop();
    }
  }

  /** A new PostgreSQL with an empty database, on any core; it flushes what it commits. */
  async withPostgres<T>(use: (databaseUrl: string) => Promise<T>): Promise<T> {
    const postgres = await startPostgres({ fsync: true });
    try {
      return await use(postgres.url);
    } finally {
      await postgres.stop();
    }
  }

  async #withProgram<T>(
    toOptions: (directory: string) => ProgramOptions,
    use: (program: ListeningProgram, directory: string) => Promise<T>,
  ): Promise<T> {
    const { dataRoot, leftovers, pinning } = this.#options;
    const directory = mkdtempSync(path.join(dataRoot, 'holdall-bench-'));
    const removeDirectory = leftovers.add(() => rmSync(directory, { recursive: true, force: true }));
    try {
      const program = await ListeningProgram.start({ ...toOptions(directory), prefix: pinning.serverPrefix });
      const kill = leftovers.add(() => program.kill());
      try {
        return await use(program, directory);
      } catch (error) {
        throw withLastWords(error, program);
      } finally {
        await program.stop();
        kill();
      }
    } finally {
      removeDirectory();
    }
  }

  #profileArguments(): readonly string[] {
    const directory = this.#options.profileDirectory;
    if (directory === undefined) return [];
    mkdirSync(directory, { recursive: true });
    return ['--cpu-prof', `--cpu-prof-dir=${directory}`];
  }
}

function withLastWords(error: unknown, program: ListeningProgram): Error {
  const message = error instanceof Error ? error.message : String(error);
  const words = program.output === '' ? '' : `\n  the server's last words:\n${program.output}`;
  return new Error(`${message}${words}`, { cause: error });
}
