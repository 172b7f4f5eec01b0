import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildWeb } from '../../../../tools/build-web.ts';
import type { Holdall } from '../app/holdall.ts';
import { PASSWORD, type Person } from '../app/person.ts';

// Before any Holdall starts: a start looks for what is built.
buildWeb();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2, A and AA, and what is good practice besides. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Somebody in front of a browser. Whatever the page does that it must not do fails the test that ends the visit. */
export class Visit {
  readonly page: Page;
  readonly #faults: string[] = [];
  #hasBeenOffline = false;

  private constructor(page: Page, origins: readonly string[]) {
    this.page = page;
    page.on('pageerror', (error) => this.#faults.push(`an error was not caught: ${error}`));
    page.on('console', (message) => {
      // Refusals of the service are in the log too; those are for the test to judge.
      const isAnswer = message.text().startsWith('Failed to load resource');
      // What the page would have fetched ahead it fetches when it is needed.
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

  /** @param options.origins that may be asked besides the service: the store */
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

  /** Logs in by the form, as the person that a test has registered. */
  async logIn(person: Person): Promise<this> {
    await this.page.goto('/login');
    await this.page.getByLabel('User name').fill(person.username);
    await this.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.page.getByRole('button', { name: 'Log in' }).click();
    await this.page.waitForURL(/\/drive\b/);
    return this;
  }

  /** Takes the network away from the browser. */
  async goOffline(): Promise<void> {
    this.#hasBeenOffline = true;
    await this.context.setOffline(true);
  }

  /** Fails with each thing on the page that keeps somebody from using it. */
  async checkAccessible(): Promise<void> {
    // Every page has one: before that there is nothing to look at.
    await this.page.locator('h1').first().waitFor({ state: 'attached' });
    // Run as the browser's own tools would: the policy of the page lets no script of ours in.
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate(async (rules) => {
      // The script above has made it.
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } };
      const { violations } = await axe.run({ runOnly: rules });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n  ')}`);
    }, RULES);
    assert.deepEqual(found, []);
  }

  /** Fails with what the page has done that it must not do. */
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
