// `npm run screenshots`: takes pictures of the main pages for docs/. They show a generated drive on a desktop
// and a phone, light and dark.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { LoginState } from '../../server/src/app/contract.ts';
import { buildWeb } from '../build/build-web.ts';
import { findChromium } from '../chromium.ts';
import { Leftovers } from '../processes/leftovers.ts';
import { ListeningProgram } from '../processes/listening-program.ts';
import { type Scene, setScene } from './scene.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const TARGET = path.join(root, 'docs', 'images');
const PASSWORD = 'a made-up passphrase';
const QUALITY = 72;

const SCREENS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true },
} as const;
const SCHEMES = ['light', 'dark'] as const;

/** The pages, by the name of their picture. Each function resolves when the page is complete. */
const PAGES: Readonly<Record<string, (page: Page, scene: Scene) => Promise<void>>> = {
  drive: async (page) => {
    await page.evaluate(() => localStorage.setItem('holdall.drive-look', '{"view":"list"}'));
    await page.goto('/drive');
    await page.getByText('Accounts.xlsx').waitFor();
  },
  pictures: async (page) => {
    await page.evaluate(() => localStorage.setItem('holdall.drive-look', '{"view":"tiles"}'));
    await page.goto('/drive/Pictures/Alps%202026');
    await page.getByText('Pine forest.jpg').waitFor();
    await page.locator('main img').nth(5).waitFor();
    await seen(page);
  },
  photos: async (page) => {
    await page.goto('/photos');
    await page.getByRole('gridcell', { name: 'Morning fog.jpg' }).waitFor();
    await page.locator('main img').nth(7).waitFor();
    await seen(page);
  },
  search: async (page) => {
    await page.goto('/search?q=the');
    await page.getByText('5 matches').waitFor();
    await page.locator('main img').nth(3).waitFor();
    await seen(page);
  },
  preview: async (page, { pictureId }) => {
    await page.goto(`/drive/Pictures/Alps%202026?preview=${pictureId}`);
    await page.getByRole('dialog').getByRole('img', { name: 'Sunrise over the lake.jpg' }).first().waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).waitFor();
    await seen(page);
  },
  transfer: async (page) => {
    await page.goto('/transfer');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    const film = { name: 'Holiday film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(2_400_000) };
    await (await chooser).setFiles([film]);
    await page.getByText('Waiting for the receiver to enter the code').waitFor();
  },
  administration: async (page) => {
    await page.goto('/admin');
    await page.getByText('Requests today').first().waitFor();
    await seen(page);
  },
  share: async (page, { shareToken }) => {
    // Logged out, as visitors with the link see the page.
    await page.evaluate(() => localStorage.removeItem('holdall.session'));
    await page.goto(`/s/${shareToken}`);
    await page.getByRole('heading', { name: 'The long way down' }).waitFor();
    await seen(page);
  },
  'folder-link': async (page, { albumToken }) => {
    await page.goto(`/f/${albumToken}`);
    await page.getByRole('heading', { name: 'Alps 2026' }).waitFor();
    await page.locator('main img').nth(5).waitFor();
    await seen(page);
  },
};

const leftovers = new Leftovers();
leftovers.removeOnSignals();
try {
  await takeAll();
} finally {
  leftovers.removeAll();
}

async function takeAll(): Promise<void> {
  buildWeb();
  mkdirSync(TARGET, { recursive: true });
  const directory = mkdtempSync(path.join(tmpdir(), 'holdall-screenshots-'));
  leftovers.add(() => rmSync(directory, { recursive: true, force: true }));
  const service = await ListeningProgram.start({
    script: path.join(root, 'server', 'src', 'main.mjs'),
    environment: {
      HOLDALL_PORT: '0',
      HOLDALL_DATA_DIR: path.join(directory, 'data'),
      HOLDALL_LOG_LEVEL: 'warn',
      // One login must last for all pictures, even on a slow computer.
      HOLDALL_ACCESS_TOKEN_TTL: '4h',
      HOLDALL_ADMIN_USERNAME: 'Amelie',
      HOLDALL_ADMIN_PASSWORD: PASSWORD,
    },
  });
  leftovers.add(() => service.kill());
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    await takeOf(browser, service.url.origin);
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function takeOf(browser: Browser, url: string): Promise<void> {
  const login = await logIn(url);
  const painter = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const scene = await setScene(painter, url, login.accessToken);
  await painter.close();
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ baseURL: url, locale: 'en-GB', colorScheme, ...options });
      const page = await context.newPage();
      await page.goto('/login');
      const session = { ...login, expiresAt: Date.now() + login.expiresIn * 1_000 };
      await page.evaluate((text) => localStorage.setItem('holdall.session', text), JSON.stringify(session));
      for (const [name, show] of Object.entries(PAGES)) {
        await show(page, scene);
        const file = `${name}-${screen}-${colorScheme}.jpg`;
        await page.screenshot({ path: path.join(TARGET, file), type: 'jpeg', quality: QUALITY });
        process.stdout.write(`${file}\n`);
      }
      await context.close();
    }
  }
}

/** Waits until every picture on the page is drawn and animations have ended. */
async function seen(page: Page): Promise<void> {
  await page.evaluate('Promise.allSettled([...document.images].map((image) => image.decode()))');
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < 10_000)' +
      '.map(({ finished }) => finished))',
  );
}

async function logIn(url: string): Promise<LoginState> {
  const response = await fetch(new URL('/api/auth/login', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'Amelie', password: PASSWORD }),
  });
  // The response is that of a login.
  const { data } = (await response.json()) as { data: LoginState };
  return data;
}
