// The output folder of a build. It stores the hash of its sources, so the same sources are built only once.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');
const BUILT_FROM = '.built-from';

export class BuiltOutput {
  readonly directory: string;
  readonly #sources: readonly string[];

  /**
   * @param directory relative to the root of the repository
   * @param sources glob patterns for every input of the build, also relative to the root
   */
  constructor(directory: string, sources: readonly string[]) {
    this.directory = path.join(root, directory);
    this.#sources = sources;
  }

  /** Calls `build` unless the output was built from the current sources. */
  update(build: () => void): 'built' | 'up to date' {
    const sources = this.#hashSources();
    if (this.#isBuiltFrom(sources)) return 'up to date';
    build();
    writeFileSync(path.join(this.directory, BUILT_FROM), sources);
    return 'built';
  }

  /** Whether the output was built from the current sources. */
  isCurrent(): boolean {
    return this.#isBuiltFrom(this.#hashSources());
  }

  #isBuiltFrom(sources: string): boolean {
    const mark = path.join(this.directory, BUILT_FROM);
    return existsSync(mark) && readFileSync(mark, 'utf8') === sources;
  }

  #hashSources(): string {
    const hash = createHash('sha256');
    const files = globSync([...this.#sources], { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .sort();
    for (const file of files)
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(path.join(root, file)));
    return hash.digest('hex');
  }
}
