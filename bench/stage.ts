import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startPostgres } from '../tools/engines/postgres/postgres.ts';
import { findPrograms } from '../tools/engines/postgres/postgres-programs.ts';
import { needS3, startS3 } from '../tools/engines/s3/s3.ts';
import { type S3Settings, toServiceEnvironment } from '../tools/engines/s3/s3-client.ts';
import type { Leftovers } from '../tools/processes/leftovers.ts';
import { ListeningProgram, type ProgramOptions } from '../tools/processes/listening-program.ts';
import type { Pinning } from './pinning.ts';
import type { Scale } from './scale.ts';
import { ADMIN_PASSWORD, INVITE_CODE, Service } from './service.ts';

interface StageOptions {
  readonly scale: Scale;
  readonly pinning: Pinning;
  readonly leftovers: Leftovers;
  /** The directory in which those of the servers are created. */
  readonly dataRoot: string;
  /** The service's main file. */
  readonly entry: string;
  readonly logLevel: string;
  /** The directory for V8's CPU profiles; undefined for none. */
  readonly profileDirectory: string | undefined;
  readonly say: (text: string) => void;
}

/** The bare server of the same run. */
export interface Bare {
  readonly port: number;
  readonly pid: number;
  /** Creates a file that it serves at `/api/files/download/NAME`. */
  put(name: string, content: Buffer): void;
}

/** A database and a store outside the service's directory, and further settings. */
interface ServiceBackends {
  /** An S3 store for the content, below a separate prefix. */
  readonly s3?: S3Settings;
  /** An empty PostgreSQL database for the rows. */
  readonly databaseUrl?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A case that this machine cannot run, with a sentence for the user. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

const BARE_SERVER = path.join(import.meta.dirname, 'peers', 'bare-server.ts');

/** The environment of a case: fresh servers, each with its own directory, removed at the end of the case. */
export class Stage {
  readonly scale: Scale;
  readonly say: (text: string) => void;
  readonly #options: StageOptions;

  constructor(options: StageOptions) {
    this.scale = options.scale;
    this.say = options.say;
    this.#options = options;
  }

  /** Starts a new service with a logged-in account. */
  withService<T>(use: (service: Service) => Promise<T>, backends?: ServiceBackends): Promise<T> {
    return this.withNewService(async (program) => {
      const service = await Service.signUp(program);
      try {
        return await use(service);
      } finally {
        service.close();
      }
    }, backends);
  }

  /** Starts a new service that has not received any call. */
  withNewService<T>(
    use: (program: ListeningProgram) => Promise<T>,
    { s3, databaseUrl, environment }: ServiceBackends = {},
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
          ...(databaseUrl === undefined ? {} : { HOLDALL_DATABASE_URL: databaseUrl }),
          ...(s3 === undefined ? {} : toServiceEnvironment(s3, randomUUID())),
          ...environment,
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
          pid: program.pid,
          put: (name, content) => writeFileSync(path.join(directory, name), content),
        }),
    );
  }

  /**
   * Starts another server to compare with the service, on the same core.
   * @param words arguments for the script, after the directory
   */
  withPeer<T>(
    script: string,
    use: (program: ListeningProgram, directory: string) => Promise<T>,
    words: readonly string[] = [],
  ): Promise<T> {
    return this.#withProgram((directory) => ({ script, scriptArguments: [directory, ...words] }), use);
  }

  /** Creates a directory on the same disk as those of the servers. It is removed at the end of the case. */
  async withDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
    const { dataRoot, leftovers } = this.#options;
    const directory = mkdtempSync(path.join(dataRoot, 'holdall-bench-'));
    const removeDirectory = leftovers.add(() => rmSync(directory, { recursive: true, force: true }));
    try {
      return await use(directory);
    } finally {
      removeDirectory();
    }
  }

  /** Starts a new S3 store with an empty bucket, on any core. @throws LeftOut if none is available */
  async withS3<T>(use: (settings: S3Settings) => Promise<T>): Promise<T> {
    await needS3().catch((cause) => {
      throw new LeftOut(cause instanceof Error ? cause.message : String(cause), { cause });
    });
    const s3 = await startS3({ prefix: this.#options.pinning.storePrefix });
    try {
      return await use(s3.settings);
    } finally {
      await s3.stop();
    }
  }

  /** Starts a new PostgreSQL on the core of the client. @throws LeftOut if none is available */
  async withPostgres<T>(use: (databaseUrl: string) => Promise<T>): Promise<T> {
    try {
      findPrograms();
    } catch (cause) {
      throw new LeftOut(cause instanceof Error ? cause.message : String(cause), { cause });
    }
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
    const { leftovers, pinning } = this.#options;
    return await this.withDirectory(async (directory) => {
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
    });
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
