import { Buffer } from 'node:buffer';
import type { Page } from 'playwright-core';

/** A drive that looks real, generated from shapes and sentences. */
export interface Scene {
  readonly url: string;
  readonly token: string;
  /** Names of the shared album. */
  readonly shareToken: string;
}

/** Landscapes by their skies, as CSS gradients: the pictures of the drive. */
const LANDSCAPES: readonly (readonly [name: string, sky: string, hill: string, sun: string])[] = [
  ['Sunrise over the lake.jpg', '#fbd3a2, #f08a5d 55%, #6a4c93', '#2d3a5a', '#fff3b0'],
  ['Morning fog.jpg', '#e8eef2, #b7c9d6 60%, #8fa8ba', '#5f7585', '#ffffff'],
  ['The north face.jpg', '#5f9fd8, #a9d3f5 60%, #e9f5ff', '#46627f', '#fffbe6'],
  ['Evening at the hut.jpg', '#22254b, #6b3f69 55%, #f2a65a', '#14172e', '#ffd9a0'],
  ['Pine forest.jpg', '#cfe8cf, #8fc18f 60%, #4f7f5b', '#1f4d36', '#fdfbd4'],
  ['The long way down.jpg', '#f6e7cb, #e3b587 60%, #b76e5d', '#5b3a3a', '#fff6e0'],
];

const PAPERS: readonly (readonly [directory: string, name: string, text: string])[] = [
  ['/Documents', 'Packing list.txt', 'Boots\nTwo pairs of socks\nMap\nTea\n'],
  ['/Documents', 'Letter to the landlord.txt', 'Dear Mr Baker,\n\nthe kitchen window…\n'],
  ['/Documents/Insurance', 'Policy 2026.txt', 'Household, from 1 January.\n'],
  ['/', 'Read me first.txt', 'Everything in here is made up.\n'],
];

/** Fills the drive of the token's account, and shares a picture. */
export async function setScene(page: Page, url: string, token: string): Promise<Scene> {
  for (const path of ['/Pictures/Alps 2026', '/Documents/Insurance', '/Music']) {
    await call(url, token, '/api/files/mkdir', JSON.stringify({ path }));
  }
  let first = 0;
  for (const [name, sky, hill, sun] of LANDSCAPES) {
    await page.setContent(landscape(sky, hill, sun));
    const bytes = await page.screenshot({ type: 'jpeg', quality: 80 });
    first = (await upload(url, token, '/Pictures/Alps 2026', name, bytes, 'image/jpeg')) || first;
  }
  for (const [directory, name, text] of PAPERS) {
    await upload(url, token, directory, name, Buffer.from(text), 'text/plain');
  }
  await upload(url, token, '/', 'Road trip.mp4', Buffer.alloc(3_400_000), 'video/mp4');
  await upload(url, token, '/', 'Accounts.xlsx', Buffer.alloc(48_000), 'application/vnd.ms-excel');
  const body = JSON.stringify({ fileId: first, shareName: 'The long way down', maxDownloads: 20 });
  const share = await call(url, token, '/api/v2/shares', body);
  return { url, token, shareToken: String(share.token) };
}

function landscape(sky: string, hill: string, sun: string): string {
  return `<body style="margin:0;height:100vh;overflow:hidden;background:linear-gradient(${sky})">
    <div style="position:absolute;left:62%;top:24%;width:9vw;height:9vw;border-radius:50%;background:${sun};
      box-shadow:0 0 9vw 3vw ${sun}99"></div>
    <svg viewBox="0 0 160 90" preserveAspectRatio="none" style="position:absolute;inset:0;width:100%;height:100%">
      <path d="M0 62 L26 40 L48 58 L80 30 L112 60 L136 44 L160 60 V90 H0Z" fill="${hill}" opacity=".55"/>
      <path d="M0 76 L30 60 L62 74 L96 56 L130 74 L160 64 V90 H0Z" fill="${hill}"/>
    </svg></body>`;
}

async function upload(
  url: string,
  token: string,
  directory: string,
  name: string,
  bytes: Buffer,
  type: string,
): Promise<number> {
  const form = new FormData();
  form.set('path', directory);
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
  const { id } = await call(url, token, '/api/files/upload', form);
  return Number(id);
}

/** @throws Error with the service's message */
async function call(
  url: string,
  token: string,
  path: string,
  body: string | FormData,
): Promise<Record<string, unknown>> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
  };
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body });
  // The envelope of every response.
  const { code, msg, data } = (await response.json()) as {
    code: number;
    msg: string;
    data: Record<string, unknown>;
  };
  if (code !== 0) throw new Error(`${path}: ${msg}`);
  return data;
}
