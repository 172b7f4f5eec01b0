import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  ConsoleMessage,
  Disposable,
  Page,
  Request,
} from 'playwright-core';
import { buildWeb } from '../../../../tools/build/build-web.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import { WATCH_FOCUS } from './focus-watch.ts';

// Builds the client before any service starts and looks for it. The test runner has already built it.
if (process.env.HOLDALL_TEST_BROWSER === undefined) buildWeb();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The browser of a phone. */
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

/** Playwright's default. */
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

/** The timeout of every wait for a page. A busy machine may take many times as long as an idle one. */
const PATIENCE_MS = 120_000;

/** WCAG 2.2, A and AA, and best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Whether all transitions of the page have ended. As text, because it runs in the browser. */
const IS_STILL = `document.getAnimations().every(({ playState, effect }) =>
  playState !== 'running' || effect?.getTiming().iterations === Infinity)`;

export interface VisitOptions extends BrowserContextOptions {
  /** Allowed origins in addition to the service, such as the store. */
  readonly origins?: readonly string[];
}

/** A user in front of a browser. Any fault of the page fails the test that ends the visit. */
export class Visit {
  readonly page: Page;
  readonly #faults: string[] = [];
  readonly #scripts: Disposable[] = [];
  readonly #sessions: CDPSession[] = [];
  readonly #leave: () => Promise<void>;
  #hasBeenOffline = false;
  #isPageReusable = true;
  #hasEnded = false;
  /** What the page showed at the end, to help find the cause of a failure. */
  #shown = '';

  private constructor(page: Page, origins: readonly string[], leave: (page: Page) => void) {
    this.page = page;
    const watch = (error: Error) => this.#faults.push(`an error was not caught: ${error}`);
    const read = (message: ConsoleMessage) => this.#readMessage(message);
    const checkOrigin = (request: Request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && !origins.includes(origin)) {
        this.#faults.push(`asked somebody else: ${request.url()}`);
      }
    };
    page.on('pageerror', watch).on('console', read).on('request', checkOrigin);
    this.#leave = async () => {
      page.off('pageerror', watch).off('console', read).off('request', checkOrigin);
      await this.#removeTools();
      if (this.#isPageReusable && (await clear(page, origins))) leave(page);
      else await page.context().close();
    };
  }

  static async begin(browser: Browser, holdall: Holdall, options: VisitOptions = {}): Promise<Visit> {
    const { origins = [], ...more } = options;
    const settings: BrowserContextOptions = {
      baseURL: holdall.url,
      locale: 'en-GB',
      // Animations take a large part of the time of a test.
      reducedMotion: 'reduce',
      // Requests of a service worker bypass the routes of a test. It has its own test.
      serviceWorkers: 'block',
      ...more,
    };
    const idle = listIdlePages(browser, settings);
    const page = (await reusePage(idle, settings)) ?? (await openPage(browser, settings));
    const visit = new Visit(page, [holdall.url, ...origins], (left) => idle.push(left));
    after(async (context) => {
      await visit.end();
      if (hasFailed(context)) process.stdout.write(`${visit.#shown}\n`);
    });
    return visit;
  }

  /** Runs a script in every document of this visit's page, before its own. */
  async addScript(content: string): Promise<void> {
    this.#scripts.push(await this.page.addInitScript({ content }));
  }

  /** Opens the browser's developer tools for this visit's page. Their changes end with the visit. */
  async openTools(): Promise<CDPSession> {
    const session = await this.page.context().newCDPSession(this.page);
    this.#sessions.push(session);
    return session;
  }

  /**
   * For changes that outlast a visit: routes of a context, clocks, other pages. The next visit then does not
   * reuse the page. Routes of the page and scripts added with `addScript` end with the visit.
   */
  get context(): BrowserContext {
    this.#isPageReusable = false;
    return this.page.context();
  }

  /**
   * Opens a page with the login of a registered person. The login form has its own tests, so this puts the
   * session where the page would have stored it.
   * @param options.keepsFirstSteps whether the list of first steps stays. By default the person has hidden it,
   *   as in an account that is not new.
   */
  async logIn(
    person: Person,
    address = '/drive',
    { keepsFirstSteps = false }: { keepsFirstSteps?: boolean } = {},
  ): Promise<this> {
    const { login } = person;
    assert(login, `${person.username} is not logged in`);
    // Rejected before the setup that some accounts need.
    if (!keepsFirstSteps) await person.call('PUT', '/api/user/profile', { body: { firstStepsHidden: true } });
    const { accessToken, refreshToken } = login;
    // The user as a login would return it now: an earlier page may have changed the profile.
    const user = await person.ask('GET', '/api/user/profile');
    const expiresAt = Date.now() + login.expiresIn * 1_000;
    const session = JSON.stringify({ accessToken, refreshToken, user, expiresAt });
    // Runs before the first script of the page, and only once, because the page itself may change or end the
    // session. Skips frames, which share the storage of the page or have none.
    const content = `if (self === top) localStorage.setItem('holdall.session', ${JSON.stringify(session)});`;
    const script = await this.page.addInitScript({ content });
    await this.page.goto(address);
    await script.dispose();
    return this;
  }

  /** Opens an address in a browser that has lost its session. */
  async openWithoutSession(address: string): Promise<void> {
    // Runs before the scripts of the page. Until then, the page being left may store its session again.
    const content = "if (self === top) localStorage.removeItem('holdall.session');";
    const script = await this.page.addInitScript({ content });
    await this.page.goto(address);
    await script.dispose();
  }

  /** Takes the browser offline. */
  async goOffline(): Promise<void> {
    this.#hasBeenOffline = true;
    await this.context.setOffline(true);
  }

  /** Fails with every accessibility fault on the page. Does not check frames. */
  async checkAccessible(): Promise<void> {
    await this.#runAxe({ type: 'tag', values: RULES });
  }

  /**
   * Runs only the rules that depend on colours, for a page that is otherwise the same in another color
   * scheme.
   */
  async checkColors(): Promise<void> {
    await this.#runAxe({ type: 'rule', values: COLOR_RULES });
  }

  async #runAxe(runOnly: {
    readonly type: 'tag' | 'rule';
    readonly values: readonly string[];
  }): Promise<void> {
    // Every page has a heading. Before it appears, there is nothing to check.
    await this.page.locator('h1').first().waitFor({ state: 'attached' });
    await this.#waitForTransitions();
    // Injected as by the browser's developer tools, because the page's policy blocks our script.
    if (!(await this.page.evaluate('"axe" in globalThis'))) await this.page.evaluate(AXE);
    const found = await this.page.evaluate(async (only) => {
      // Created by the script above.
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } };
      const { violations } = await axe.run({ runOnly: only, resultTypes: ['violations'], iframes: false });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n  ')}`);
    }, runOnly);
    assert.deepEqual(found, []);
  }

  /**
   * Waits until colours have settled: one in transition may lack contrast. Does not wait for endless
   * animations.
   */
  async #waitForTransitions(): Promise<void> {
    while (!(await this.page.evaluate<boolean>(IS_STILL))) await sleep(20);
  }

  /** Fails with every fault that the page has caused. */
  checkClean(): void {
    assert.deepEqual(this.#faults, []);
  }

  /** Leaves the page, at the latest with the test that began the visit. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#shown = await describePage(this.page);
    await this.#leave();
  }

  async #removeTools(): Promise<void> {
    if (this.page.isClosed()) return;
    for (const session of this.#sessions.splice(0)) await session.detach();
    for (const script of this.#scripts.splice(0)) await script.dispose();
  }

  #readMessage(message: ConsoleMessage): void {
    const text = message.text();
    // Failed requests are also logged. The test itself judges those.
    const isAnswer = text.startsWith('Failed to load resource');
    // Prefetches that failed while offline are repeated when they are needed.
    const isMissed = this.#hasBeenOffline && text.startsWith("Couldn't load preload assets");
    const isBlocked = text === 'Service Worker registration blocked by Playwright';
    const isFault = !isAnswer && !isMissed && !isBlocked;
    if (['error', 'warning'].includes(message.type()) && isFault) this.#faults.push(text);
  }
}

/**
 * Pages left by earlier visits with the same settings. They have the client in the browser's cache. A page in
 * a new context takes four times the processor time to load it.
 */
const idlePages = new WeakMap<Browser, Map<string, Page[]>>();

function listIdlePages(browser: Browser, settings: BrowserContextOptions): Page[] {
  const ofBrowser = idlePages.get(browser) ?? new Map<string, Page[]>();
  idlePages.set(browser, ofBrowser);
  // These settings can be changed on an existing page.
  const { colorScheme: _, viewport: __, ...fixed } = settings;
  const key = JSON.stringify(fixed);
  const pages = ofBrowser.get(key) ?? [];
  ofBrowser.set(key, pages);
  return pages;
}

/** Stops endless animations, which would repaint a waiting page 60 times a second. */
const STOP_SPINNING = `addEventListener('animationstart', ({ target }) => {
  for (const animation of target.getAnimations({ subtree: true })) {
    if (animation.effect?.getTiming().iterations === Infinity) animation.pause();
  }
}, true);`;

async function openPage(browser: Browser, settings: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(settings);
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript({ content: STOP_SPINNING + WATCH_FOCUS });
  return await context.newPage();
}

/** An idle page with these settings, if there is one. */
async function reusePage(idle: Page[], settings: BrowserContextOptions): Promise<Page | undefined> {
  const page = idle.pop();
  if (page === undefined) return undefined;
  await page.setViewportSize(settings.viewport ?? DEFAULT_VIEWPORT);
  const { colorScheme = 'light', reducedMotion = null } = settings;
  await page.emulateMedia({ colorScheme, reducedMotion, media: null });
  return page;
}

/** Everything that a page can store. The HTTP cache is kept. */
const STORAGE_TYPES = 'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage';

/** Makes the page forget its visit. Returns false if it cannot, and then its context must be closed. */
async function clear(page: Page, origins: readonly string[]): Promise<boolean> {
  const context = page.context();
  if (context.pages().length !== 1) return false;
  try {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await clearPageStorage(page, origins);
    await page.goto('about:blank');
    const session = await context.newCDPSession(page);
    for (const origin of origins) {
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGE_TYPES });
    }
    await session.detach();
    return true;
  } catch {
    return false;
  }
}

/**
 * Clears the copy of the storage that the page's process keeps. The developer tools clear it only later, and
 * until then the next visit would see the session of this one. This runs in another document of the origin,
 * where no client code can store the session again.
 */
async function clearPageStorage(page: Page, origins: readonly string[]): Promise<void> {
  const { origin } = new URL(page.url());
  if (!origins.includes(origin)) return;
  const address = `${origin}/empty-document-of-the-tests`;
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(address);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.unroute(address);
}

/** @param context the context of a test, undefined outside of one. Its types do not have `passed` yet. */
function hasFailed(context: unknown): boolean {
  return (context as { readonly passed?: boolean } | undefined)?.passed === false;
}

async function describePage(page: Page): Promise<string> {
  const address = page.url();
  const text = await Promise.race([
    page.evaluate('document.body?.innerText').catch(String),
    // Gives up after a while, because a stopped page would never answer.
    sleep(5_000, 'nothing within 5 s', { ref: false }),
  ]);
  return `The page ${address} showed:\n${`${text}`.slice(0, 2_000)}`;
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
