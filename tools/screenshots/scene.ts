import { Buffer } from 'node:buffer';
import type { Page } from 'playwright-core';

/** A realistic drive, generated from shapes and sentences. */
export interface Scene {
  readonly url: string;
  readonly token: string;
  /** The token of a picture's share. */
  readonly shareToken: string;
  /** The token of an album's folder link. */
  readonly albumToken: string;
  /** The id of the picture to open. */
  readonly pictureId: number;
}

/** A landscape for a picture of the drive: the day of the picture, and colors and sky as CSS. */
type Landscape = readonly [name: string, day: string, sky: string, hill: string, sun: string];

const ALPS: readonly Landscape[] = [
  ['Sunrise over the lake.jpg', '2026-07-18', '#fbd3a2, #f08a5d 55%, #6a4c93', '#2d3a5a', '#fff3b0'],
  ['Morning fog.jpg', '2026-07-18', '#e8eef2, #b7c9d6 60%, #8fa8ba', '#5f7585', '#ffffff'],
  ['The north face.jpg', '2026-07-18', '#5f9fd8, #a9d3f5 60%, #e9f5ff', '#46627f', '#fffbe6'],
  ['Evening at the hut.jpg', '2026-07-17', '#22254b, #6b3f69 55%, #f2a65a', '#14172e', '#ffd9a0'],
  ['Pine forest.jpg', '2026-07-17', '#cfe8cf, #8fc18f 60%, #4f7f5b', '#1f4d36', '#fdfbd4'],
  ['The long way down.jpg', '2026-07-19', '#f6e7cb, #e3b587 60%, #b76e5d', '#5b3a3a', '#fff6e0'],
];

const COAST: readonly Landscape[] = [
  ['Harbour at noon.jpg', '2026-05-23', '#7cc4e8, #bfe6f5 60%, #f4fbff', '#2f6f8f', '#fffdf0'],
  ['Dunes.jpg', '2026-05-23', '#a9cfe6, #f1e2bd 62%, #d9b77c', '#a9824c', '#fff7dc'],
  ['Storm coming in.jpg', '2026-05-22', '#3b4a5c, #6d8093 60%, #a5b3be', '#26323f', '#cfd8df'],
  ['Last light.jpg', '2026-05-22', '#31254f, #a3476b 55%, #ff9f6b', '#1b1a33', '#ffd9a8'],
  ['Low tide.jpg', '2026-05-22', '#cfe3e8, #a8c6cc 60%, #87a5a8', '#5a7376', '#ffffff'],
];

const PAPERS: readonly (readonly [directory: string, name: string, text: string])[] = [
  ['/Documents', 'Packing list.txt', 'Boots\nTwo pairs of socks\nMap\nTea\n'],
  ['/Documents', 'Letter to the landlord.txt', 'Dear Mr Baker,\n\nthe kitchen window…\n'],
  ['/Documents/Insurance', 'Policy 2026.txt', 'Household, from 1 January.\n'],
  ['/', 'Read me first.txt', 'Everything in here is made up.\n'],
];

/** Fills the drive of the token's account, and shares a picture and an album. */
export async function setScene(page: Page, url: string, token: string): Promise<Scene> {
  const service = { url, token };
  const mkdir = async (path: string) =>
    Number((await call(service, '/api/files/mkdir', JSON.stringify({ path }))).id);
  const put = (directory: string, name: string, content: Content) =>
    upload(service, directory, name, content);
  const album = await mkdir('/Pictures/Alps 2026');
  for (const path of ['/Pictures/Coast 2026', '/Documents/Insurance', '/Music']) await mkdir(path);
  const alps = await paint(page, ALPS, (name, content) => put('/Pictures/Alps 2026', name, content));
  await paint(page, COAST, (name, content) => put('/Pictures/Coast 2026', name, content));
  for (const [directory, name, text] of PAPERS) {
    await put(directory, name, { bytes: Buffer.from(text), type: 'text/plain' });
  }
  const film = { bytes: Buffer.alloc(3_400_000), type: 'video/mp4', day: '2026-07-19' };
  await put('/', 'Road trip.mp4', film);
  await put('/', 'Accounts.xlsx', { bytes: Buffer.alloc(48_000), type: 'application/vnd.ms-excel' });
  const sharing = { fileId: alps.at(-1), shareName: 'The long way down', maxDownloads: 20 };
  const share = await call(service, '/api/v2/shares', JSON.stringify(sharing));
  const linking = { directoryId: album, mode: 'VIEW', title: 'Alps 2026' };
  const link = await call(service, '/api/v2/folder-links', JSON.stringify(linking));
  return {
    ...service,
    shareToken: String(share.token),
    albumToken: String(link.token),
    pictureId: alps[0] ?? 0,
  };
}

/** Paints and uploads the pictures. Returns their ids. */
async function paint(
  page: Page,
  landscapes: readonly Landscape[],
  put: (name: string, content: Content) => Promise<number>,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const [name, day, sky, hill, sun] of landscapes) {
    await page.setContent(landscape(sky, hill, sun));
    const bytes = await page.screenshot({ type: 'jpeg', quality: 80 });
    ids.push(await put(name, { bytes, type: 'image/jpeg', day }));
  }
  return ids;
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

interface Service {
  readonly url: string;
  readonly token: string;
}

interface Content {
  readonly bytes: Buffer;
  readonly type: string;
  /** The day on which the content was modified; today by default. */
  readonly day?: string;
}

/** Uploads a file. Returns its id. */
async function upload(
  service: Service,
  directory: string,
  name: string,
  { bytes, type, day }: Content,
): Promise<number> {
  const form = new FormData();
  form.set('path', directory);
  if (day !== undefined) form.set('modifiedAt', `${day}T12:00:00Z`);
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
  const { id } = await call(service, '/api/files/upload', form);
  return Number(id);
}

/** @throws Error with the service's message */
async function call(
  { url, token }: Service,
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
