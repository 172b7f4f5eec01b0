import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import type { CDPSession, Locator, Page } from 'playwright-core';
import type { Person } from '../app/person.ts';
import { waitFor } from '../tasks/tasks.ts';

/**
 * Files on this machine's disk, for uploads. They are removed at the end of the test file. A test file that
 * uses them needs `disk`, because Chromium gives pages no handles for files below `/dev`, where the memory
 * file system is.
 */
export class DeskFiles {
  readonly root: string;
  readonly hashes = new Map<string, string>();

  private constructor(root: string) {
    this.root = root;
  }

  static async begin(): Promise<DeskFiles> {
    const root = await mkdtemp(path.join(tmpdir(), 'holdall-desk-'));
    after(() => rm(root, { recursive: true, force: true }));
    return new DeskFiles(root);
  }

  /** Writes random bytes. Returns their path. */
  async write(name: string, size: number): Promise<string> {
    const bytes = randomBytes(size);
    const file = path.join(this.root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
    this.hashes.set(name, toHash(bytes));
    return file;
  }

  /** Writes other bytes. Chromium compares only whole seconds, so the file gets an older modification time. */
  async change(name: string, size: number): Promise<void> {
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await utimes(await this.write(name, size), anHourAgo, anHourAgo);
  }

  async makeDirectory(name: string): Promise<string> {
    const directory = path.join(this.root, name);
    await mkdir(directory, { recursive: true });
    return directory;
  }

  hash(name: string): string {
    const hash = this.hashes.get(name);
    assert(hash, `${name} was never written`);
    return hash;
  }
}

export function toHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The bytes of a file in the user's drive. */
export async function hashOf(person: Person, at: string): Promise<string> {
  const cut = at.lastIndexOf('/');
  const { items } = await person.list(at.slice(0, cut) || '/', { size: 1_000 });
  const entry = items.find(({ path: found }) => found === at);
  assert(entry, `${at} is not there`);
  return toHash(await person.download(entry));
}

/** The uploads of a page, as the user sees them. */
export class UploadPage {
  readonly page: Page;
  readonly tray: Locator;
  #cdp: CDPSession | undefined;

  constructor(page: Page) {
    this.page = page;
    this.tray = page.getByRole('region', { name: 'Uploads' });
  }

  async pick(files: string | readonly string[]): Promise<void> {
    await this.page.locator('input[name=files]').setInputFiles(files);
  }

  async pickFolder(folder: string): Promise<void> {
    await this.page.locator('input[name=folder]').setInputFiles(folder);
  }

  /** Drags files and folders from the desktop into the page, and drops them. */
  async drop(files: readonly string[], at = { x: 500, y: 300 }): Promise<void> {
    await this.#dispatch('dragEnter', files, at);
    await this.#dispatch('dragOver', files, at);
    await this.#dispatch('drop', files, at);
  }

  /**
   * Drags files over the page, and holds them there until `shown` appears. Like browsers, it repeats the
   * event.
   */
  async dragUntil(shown: Locator, files: readonly string[], at = { x: 500, y: 300 }): Promise<void> {
    await this.#dispatch('dragEnter', files, at);
    await waitFor(
      async () => {
        await this.#dispatch('dragOver', files, at);
        return await shown.isVisible();
      },
      (isVisible) => isVisible,
      'what the page shows while files are dragged',
    );
  }

  async open(): Promise<void> {
    await this.tray.getByRole('button', { name: 'Show uploads' }).click();
  }

  /** Resolves when the tray's header shows the text, however long that takes on a slow machine. */
  async says(text: string | RegExp): Promise<void> {
    await this.tray.getByRole('heading', { name: text }).waitFor();
  }

  row(name: string): Locator {
    return this.tray.getByRole('listitem').filter({ hasText: name });
  }

  async press(name: string | RegExp): Promise<void> {
    await this.tray.getByRole('button', { name }).click();
  }

  async visit(path: string): Promise<void> {
    await this.page.goto(`/drive${path}`);
    await this.waitFor();
  }

  async waitFor(): Promise<void> {
    await this.page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
  }

  /** Removes the rate limit, and drops what is being dragged. */
  async leave(): Promise<void> {
    if (!this.page.isClosed()) await this.#cdp?.detach();
    this.#cdp = undefined;
  }

  /** @param bytesPerSecond the upload rate; undefined removes the limit */
  async limit(bytesPerSecond: number | undefined): Promise<void> {
    const cdp = await this.#session();
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond ?? -1,
    });
  }

  async #dispatch(
    type: 'dragEnter' | 'dragOver' | 'drop',
    files: readonly string[],
    at: { x: number; y: number },
  ) {
    const cdp = await this.#session();
    const data = { items: [], files: [...files], dragOperationsMask: 1 };
    await cdp.send('Input.dispatchDragEvent', { type, ...at, data });
  }

  async #session(): Promise<CDPSession> {
    this.#cdp ??= await this.page.context().newCDPSession(this.page);
    return this.#cdp;
  }
}

/** The offset of each request that carries bytes through the service. */
export function watchOffsets(page: Page): readonly number[] {
  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  return offsets;
}

/** Runs in the page. */
const PICK_FROM_BROWSER = `async (name, size) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
  const root = await navigator.storage.getDirectory();
  const handle = await root.getFileHandle(name, { create: true });
  const writable = await handle.createWritable();
  await writable.write(bytes);
  await writable.close();
  window.showOpenFilePicker = async () => [handle];
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}`;

/**
 * Makes the browser's picker return a file of random bytes in the origin private file system, which needs no
 * permission. Returns its SHA-256.
 */
export async function pickFromBrowser(page: Page, name: string, size: number): Promise<string> {
  return await page.evaluate<string>(`(${PICK_FROM_BROWSER})(${JSON.stringify(name)}, ${size})`);
}
