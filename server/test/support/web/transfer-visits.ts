import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Holdall } from '../app/holdall.ts';
import { Visit } from './web-visit.ts';

const MEASURE_EVERY_MS = 200;

/**
 * A browser without file pickers. The page stores received files in the browser, and saves them from there.
 */
export const WITHOUT_PICKERS = `
  delete window.showSaveFilePicker;
  delete window.showDirectoryPicker;
`;

/** A user who picks the folder `picked`, and whose disk accepts nothing before \`openGate()\`. */
export const WITH_FOLDER_PICKER = `
  window.showDirectoryPicker = async () =>
    (await navigator.storage.getDirectory()).getDirectoryHandle('picked', { create: true });
  const gate = new Promise((resolve) => (window.openGate = resolve));
  const write = FileSystemWritableFileStream.prototype.write;
  FileSystemWritableFileStream.prototype.write = async function (...written) {
    await gate;
    return write.apply(this, written);
  };
`;

/** A network on which browsers cannot reach each other. */
export const WITHOUT_DIRECT_WAY = `
  const Original = RTCPeerConnection;
  window.RTCPeerConnection = class extends Original {
    constructor() {
      super({ iceServers: [], iceTransportPolicy: 'relay' });
    }
  };
`;

/** A network on which browsers reach each other only over the relay that the service names. */
export const ONLY_BY_RELAY = `
  const Original = RTCPeerConnection;
  window.RTCPeerConnection = class extends Original {
    constructor(configuration) {
      super({ ...configuration, iceTransportPolicy: 'relay' });
    }
  };
`;

/** Closes the connection once, after that many bytes, and counts all of them. */
export function cutBehind(bytes: number): string {
  return `
    let peer;
    const Original = RTCPeerConnection;
    window.RTCPeerConnection = class extends Original {
      constructor(configuration) {
        super(configuration);
        peer = this;
      }
    };
    window.sentBytes = 0;
    window.cuts = 0;
    const send = RTCDataChannel.prototype.send;
    RTCDataChannel.prototype.send = function (message) {
      send.call(this, message);
      window.sentBytes += message.byteLength ?? 0;
      if (window.sentBytes > ${bytes} && window.cuts === 0) {
        window.cuts += 1;
        peer.close();
      }
    };
  `;
}

/** A visitor of the quick transfer page, in a browser modified by the scripts. */
export async function visitTransfer(
  browser: Browser,
  holdall: Holdall,
  {
    scripts = [],
    address = '/transfer',
    ...options
  }: BrowserContextOptions & { scripts?: string[]; address?: string } = {},
): Promise<Visit> {
  const visit = await Visit.begin(browser, holdall, options);
  for (const script of scripts) await visit.addScript(script);
  await visit.page.goto(address);
  await visit.page.getByRole('heading', { level: 1 }).waitFor();
  return visit;
}

/** @param button such as "Choose files" */
export async function chooseFiles(page: Page, button: string, what: string | string[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await choosing).setFiles(what);
}

/** Waits for the code that the page shows. */
export async function readCode(page: Page): Promise<string> {
  const shown = page.getByRole('region', { name: 'Send' }).getByText(/^[2-9A-Z]{3} [2-9A-Z]{3}$/);
  return (await shown.innerText()).replace(' ', '');
}

/**
 * Waits until the sender's page knows that it has a receiver. Storing the files before that would end the
 * code, because no one has it yet.
 */
export async function waitForReceiver(page: Page): Promise<void> {
  await page
    .getByText(/^Connecting with|^Store the files on the server for 7 days instead/)
    .first()
    .waitFor();
}

/** Turns "Encrypt end to end" on. */
export async function encrypt(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Encrypt end to end' }).check({ force: true });
}

/** Waits for the secret that the page shows after the code, in groups. */
export async function readSecret(page: Page): Promise<string> {
  const shown = page.getByRole('region', { name: 'Send' }).getByText(/^–([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/);
  return (await shown.innerText()).slice(1);
}

/** Checks light and dark mode, which differ only in colours. */
export async function checkAccessible(visit: Visit): Promise<void> {
  await chooseColors(visit.page, 'dark');
  await visit.checkColors();
  await chooseColors(visit.page, 'light');
  await visit.checkAccessible();
}

async function chooseColors(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
}

/** The most bytes that the page holds until `shown` appears: the JavaScript heap and its buffers. */
export async function measureMostBytes(visit: Visit, shown: Locator): Promise<number> {
  const tools = await visit.openTools();
  let mostBytes = 0;
  while (!(await shown.isVisible())) {
    // Garbage that waits for collection does not count.
    await tools.send('HeapProfiler.collectGarbage');
    // The types of this version do not include the buffers yet.
    const usage: { usedSize: number; backingStorageSize?: number } = await tools.send('Runtime.getHeapUsage');
    mostBytes = Math.max(mostBytes, usage.usedSize + (usage.backingStorageSize ?? 0));
    // A collection takes processor time, which the transfer needs.
    await sleep(MEASURE_EVERY_MS);
  }
  return mostBytes;
}

/** Creates a file of random bytes and returns its SHA-256. */
export async function makeRandomFile(file: string, size: number): Promise<string> {
  const chunk = new Uint8Array(1024 ** 2);
  async function* chunks() {
    for (let left = size; left > 0; left -= chunk.length)
      yield randomFillSync(chunk).slice(0, Math.min(left, chunk.length));
  }
  await pipeline(Readable.from(chunks()), createWriteStream(file));
  return await hashFile(file);
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Creates the folder with files of these contents, by path. */
export async function makeFolder(folder: string, contents: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, content] of contents) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

/** The content of the folder that `WITH_FOLDER_PICKER` picks, by path. */
export async function readPicked(page: Page): Promise<Map<string, string>> {
  // As text, because it runs in the browser with the browser's globals.
  const found = await page.evaluate<[string, string][]>(`(async () => {
    const list = [];
    const read = async (folder, prefix) => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'directory') await read(handle, prefix + name + '/');
        else list.push([prefix + name, await (await handle.getFile()).text()]);
      }
    };
    await read(await (await navigator.storage.getDirectory()).getDirectoryHandle('picked'), '');
    return list;
  })()`);
  return new Map(found.sort());
}
