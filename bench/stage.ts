import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Leftovers } from '../tools/leftovers.ts';
import { ListeningProgram, type ProgramOptions } from '../tools/listening-program.ts';
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

  /** A new service with an account that is logged in. */
  withService<T>(use: (service: Service) => Promise<T>): Promise<T> {
    return this.withNewService(async (program) => {
      const service = await Service.signUp(program);
      try {
        return await use(service);
      } finally {
        service.close();
      }
    });
  }

  /** A new service that nobody has called yet. */
  withNewService<T>(use: (program: ListeningProgram) => Promise<T>): Promise<T> {
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
