import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** The length and checksum of a file of lines. */
export interface FileDigest {
  readonly lines: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
}

/** Writes one JSON value per line, and computes the digest of the file. */
export class RowFileWriter {
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  #lines = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** @throws Error when the file exists */
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

  /** Flushes the file to the disk and returns its digest. */
  async finish(): Promise<FileDigest> {
    await this.#handle.sync();
    return { lines: this.#lines, sha256: this.#hash.digest('hex') };
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * Reads the values of a file in batches.
 * @throws Error when a line is not JSON, or the file does not exist
 */
export async function* readRowFile(file: string): AsyncGenerator<readonly unknown[]> {
  for await (const lines of readLines(file)) yield lines.map((line) => JSON.parse(line) as unknown);
}

export async function digestFile(file: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let lines = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    for (let index = chunk.indexOf(10); index !== -1; index = chunk.indexOf(10, index + 1)) lines += 1;
  }
  return { lines, sha256: hash.digest('hex') };
}

// Does not use node:readline, which also ends lines at other characters that JSON may contain.
async function* readLines(file: string): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const text of createReadStream(file, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') throw new Error(`${file} ends in the middle of a line.`);
}
