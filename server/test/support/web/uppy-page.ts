import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after } from 'node:test';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { PASSWORD, type Person } from '../app/person.ts';

const EXAMPLE = path.join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'uppy');

/** Serves the example unchanged from its own origin until the test file ends. Returns the origin. */
export async function serveUppyExample(): Promise<string> {
  const page = await readFile(path.join(EXAMPLE, 'index.html'));
  const built = await build({ entryPoints: [path.join(EXAMPLE, 'page.js')], bundle: true, write: false });
  const script = built.outputFiles[0]?.contents;
  const server = createServer(({ url }, response) => {
    const isScript = url === '/bundle/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : page);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  // A listening port has an address with a number.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs in the page. It creates files that a user would choose with the mouse. */
const CHOOSE_FILES = `async (sizes) => {
  const chosen = new DataTransfer();
  const hashes = [];
  for (const [name, size] of sizes) {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
    chosen.items.add(new File([bytes], name));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    hashes.push([...hash].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  }
  document.querySelector('[name=files]').files = chosen.files;
  return hashes;
}`;

/** The example in a browser, as the user sees it. */
export class UppyPage {
  readonly #page: Page;
  readonly #person: Person;

  constructor(page: Page, person: Person) {
    this.#page = page;
    this.#person = person;
  }

  /**
   * Chooses files of random bytes that the page creates, and starts. Returns the SHA-256 of each, computed in
   * the page.
   */
  async upload(directory: string, sizes: Readonly<Record<string, number>>): Promise<readonly string[]> {
    await this.#page.fill('[name=url]', this.#person.url);
    await this.#page.fill('[name=username]', this.#person.username);
    await this.#page.fill('[name=password]', PASSWORD);
    await this.#page.fill('[name=path]', directory);
    const hashes = await this.#page.evaluate<string[]>(
      `(${CHOOSE_FILES})(${JSON.stringify(Object.entries(sizes))})`,
    );
    await this.click('Upload');
    return hashes;
  }

  async click(button: 'Upload' | 'Retry' | 'Cancel'): Promise<void> {
    await this.#page.getByRole('button', { name: button }).click();
  }

  /** The message at the end. */
  async result(): Promise<string> {
    await this.#page.waitForFunction(`!['', 'uploading'].includes(document.querySelector('output').value)`);
    return (await this.#page.locator('output').textContent()) ?? '';
  }

  /** Resolves when the bar has reached that percentage. */
  async reach(percent: number): Promise<void> {
    await this.#page.waitForFunction(`document.querySelector('progress').value >= ${percent}`);
  }
}
