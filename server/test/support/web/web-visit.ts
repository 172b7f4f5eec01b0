import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildWeb } from '../../../../tools/build-web.ts';
import type { Holdall } from '../app/holdall.ts';
import { PASSWORD, type Person } from '../app/person.ts';

// Before any Holdall starts, because a start looks for the built client.
buildWeb();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2, A and AA, and best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

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
    const context = await browser.newContext({ baseURL: holdall.url, locale: 'en-GB', ...more });
    after(() => context.close());
    return new Visit(await context.newPage(), [holdall.url, ...origins]);
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  /** Logs in with the form, as the person that a test has registered. */
  async logIn(person: Person): Promise<this> {
    await this.page.goto('/login');
    await this.page.getByLabel('User name').fill(person.username);
    await this.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.page.getByRole('button', { name: 'Log in' }).click();
    await this.page.waitForURL(/\/drive\b/);
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
    // Injected like the browser's developer tools do, because the page's policy forbids our script.
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate(async (rules) => {
      // Created by the script above.
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } };
      const { violations } = await axe.run({ runOnly: rules });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n  ')}`);
    }, RULES);
    assert.deepEqual(found, []);
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
