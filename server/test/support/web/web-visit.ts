import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildWeb } from '../../../../tools/build-web.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';

// Before any service starts, since it looks for the client then. The test runner has built it already.
if (process.env.HOLDALL_TEST_BROWSER === undefined) buildWeb();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2, A and AA, and best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Whether all transitions of the page have ended. As text, because it runs in the browser. */
const IS_STILL = `document.getAnimations().every(({ playState, effect }) =>
  playState !== 'running' || effect?.getTiming().iterations === Infinity)`;

/** A user in front of a browser. Any fault of the page fails the test that ends the visit. */
export class Visit {
  readonly page: Page;
  readonly #faults: string[] = [];
  #hasBeenOffline = false;

  private constructor(page: Page, origins: readonly string[]) {
    this.page = page;
    page.on('pageerror', (error) => this.#faults.push(`an error was not caught: ${error}`));
    page.on('console', (message) => {
      // Refusals of the service are logged too; the test judges those.
      const isAnswer = message.text().startsWith('Failed to load resource');
      // Prefetches that failed without a network are fetched when they are needed.
      const isMissed = this.#hasBeenOffline && message.text().startsWith("Couldn't load preload assets");
      if (['error', 'warning'].includes(message.type()) && !isAnswer && !isMissed)
        this.#faults.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && !origins.includes(origin)) {
        this.#faults.push(`asked somebody else: ${request.url()}`);
      }
    });
  }

  /** @param options.origins allowed in addition to the service: the store */
  static async begin(
    browser: Browser,
    holdall: Holdall,
    options: BrowserContextOptions & { readonly origins?: readonly string[] } = {},
  ): Promise<Visit> {
    const { origins = [], ...more } = options;
    const context = await browser.newContext({
      baseURL: holdall.url,
      locale: 'en-GB',
      // Animations take a large part of the time of a test.
      reducedMotion: 'reduce',
      ...more,
    });
    after(() => context.close());
    return new Visit(await context.newPage(), [holdall.url, ...origins]);
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  /**
   * Opens a page with the login of a person that a test has registered. The login form has tests of its own: here the
   * session is put where the page would have stored it.
   */
  async logIn(person: Person, address = '/drive'): Promise<this> {
    const { login } = person;
    assert(login, `${person.username} is not logged in`);
    const { accessToken, refreshToken } = login;
    // The user as a login would return it now: an earlier page may have changed the profile.
    const user = await person.ask('GET', '/api/user/profile');
    const expiresAt = Date.now() + login.expiresIn * 1_000;
    const session = JSON.stringify({ accessToken, refreshToken, user, expiresAt });
    // Before the first script of the next page, and only once: the page itself may change or end the session.
    await this.context.addInitScript(
      ([mark, value]) => {
        // Frames of the browser's own, such as its PDF viewer, have no storage.
        if (globalThis.localStorage?.getItem(mark) !== null) return;
        localStorage.setItem(mark, '');
        localStorage.setItem('holdall.session', value);
      },
      [`holdall.test-${randomUUID()}`, session] as const,
    );
    await this.page.goto(address);
    return this;
  }

  /** Takes the browser offline. */
  async goOffline(): Promise<void> {
    this.#hasBeenOffline = true;
    await this.context.setOffline(true);
  }

  /** Fails with every accessibility fault on the page. */
  async checkAccessible(): Promise<void> {
    // Every page has one; before that there is nothing to check.
    await this.page.locator('h1').first().waitFor({ state: 'attached' });
    await this.#waitForTransitions();
    // Injected like the browser's developer tools do, because the page's policy forbids our script.
    if (!(await this.page.evaluate('"axe" in globalThis'))) await this.page.evaluate(AXE);
    const found = await this.page.evaluate(async (rules) => {
      // Created by the script above.
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } };
      const { violations } = await axe.run({ runOnly: rules, resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n  ')}`);
    }, RULES);
    assert.deepEqual(found, []);
  }

  /** A colour in transition would be a fault of contrast. Animations without an end are not waited for. */
  async #waitForTransitions(): Promise<void> {
    while (!(await this.page.evaluate<boolean>(IS_STILL))) await sleep(20);
  }

  /** Fails with every fault that the page has caused. */
  checkClean(): void {
    assert.deepEqual(this.#faults, []);
  }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
