import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** What a file of lines holds, and how it is known again. */
export interface FileDigest {
  readonly lines: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
}

/** Writes one JSON value a line, and takes the digest on the way. */
export class RowFileWriter {
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  #lines = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** @throws Error where the file is there already */
  static async create(file: string): Promise<RowFileWriter> {
    return new RowFileWriter(await open(file, 'wx', 0o600));
  }

  async write(values: readonly unknown[]): Promise<void> {
    if (values.length === 0) return;
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    this.#hash.update(text);
    this.#lines += values.length;
    await this.#handle.appendFile(text);
  }

  /** Has it survive a power cut. */
  async finish(): Promise<FileDigest> {
    await this.#handle.sync();
    return { lines: this.#lines, sha256: this.#hash.digest('hex') };
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** The values of a file, many at a time. @throws Error where a line is no JSON, or the file is not there */
export async function* readRowFile(file: string): AsyncGenerator<readonly unknown[]> {
  for await (const lines of readLines(file)) yield lines.map((line) => JSON.parse(line) as unknown);
}

export async function digestFile(file: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let lines = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  return { lines, sha256: hash.digest('hex') };
}

// Not by node:readline, which takes some characters that may stand in JSON for the end of a line.
async function* readLines(file: string): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const text of createReadStream(file, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') throw new Error(`${file} ends in the middle of a line.`);
}
