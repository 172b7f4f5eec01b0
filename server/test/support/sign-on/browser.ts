import assert from 'node:assert/strict';
import { type Answer, type LoginState, Person } from '../app/person.ts';

const MAX_REDIRECTS = 20;

export const START = '/api/auth/oidc/start';
export const CALLBACK = '/api/auth/oidc/callback';
export const TICKET = '/api/auth/oidc/ticket';

/** What the page at the end of a visit was told in its URL. */
interface FinalPage {
  /** The path with the query. */
  readonly page: string;
  readonly fragment: Readonly<Record<string, string>>;
}

/** A minimal browser for logins: cookies and redirects. As in real browsers, ports share cookies. */
export class Browser {
  readonly holdallUrl: string;
  readonly cookies = new Map<string, string>();

  constructor(holdallUrl: string) {
    this.holdallUrl = holdallUrl;
  }

  async fetch(method: string, url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...this.cookieHeader() };
    const response = await fetch(url, { ...init, method, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#store(line);
    return response;
  }

  cookieHeader(): Readonly<Record<string, string>> {
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  /** Follows redirects until the last of them leads to a page of the service or to the provider's login page. */
  async follow(url: string, method = 'GET', init: RequestInit = {}): Promise<string> {
    let [next, response] = [url, await this.fetch(method, url, init)];
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      const location = response.headers.get('location');
      await response.body?.cancel();
      if (location === null) {
        assert.equal(response.status, 200, `${next}: ${response.status}`);
        return next;
      }
      next = new URL(location, next).href;
      if (this.isPage(next) || this.isCallback(next)) return next;
      response = await this.fetch('GET', next);
    }
    throw new Error(`too many redirects: ${next}`);
  }

  /** Goes to the provider and logs in there. Returns the URL to which the provider redirects the browser. */
  async logInAtProvider(login: string, url: string = this.holdallUrl + START): Promise<string> {
    const page = await this.follow(url);
    assert.match(page, /\/login\/[^/?#]+$/, page);
    return this.follow(page, 'POST', {
      body: new URLSearchParams(login === '' ? { cancel: 'true' } : { login }),
    });
  }

  /** Opens the URL of the callback. */
  async openCallback(callbackUrl: string): Promise<FinalPage> {
    assert.ok(this.isCallback(callbackUrl), callbackUrl);
    const page = new URL(await this.follow(callbackUrl));
    return {
      page: page.pathname + page.search,
      fragment: Object.fromEntries(new URLSearchParams(page.hash.slice(1))),
    };
  }

  /** Logs in up to the page that receives the ticket or the error. */
  async getTicketOrError(login: string, url?: string): Promise<FinalPage> {
    return this.openCallback(await this.logInAtProvider(login, url));
  }

  async sendTicket(
    ticket: string | undefined,
    headers: Record<string, string> = {},
  ): Promise<Answer<LoginState>> {
    return new Person('somebody', this.holdallUrl).call('POST', TICKET, {
      body: { ticket },
      headers: { ...this.cookieHeader(), ...headers },
    });
  }

  /** The person who has logged in at the provider under that name. */
  async logIn(login: string): Promise<Person> {
    const { fragment } = await this.getTicketOrError(login);
    const answer = await this.sendTicket(fragment.ticket);
    assert.equal(answer.code, 0, `${JSON.stringify(fragment)}: ${answer.msg}`);
    return Object.assign(new Person(answer.data.user.username, this.holdallUrl), { login: answer.data });
  }

  /** Begins to link an identity, as the page does. Returns the URL to go to. */
  async startLinking(person: Person): Promise<string> {
    const response = await this.fetch('POST', `${this.holdallUrl}/api/user/identities/oidc`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    const { code, data, msg } = (await response.json()) as Answer<{ url: string }>;
    assert.equal(code, 0, msg);
    return data.url;
  }

  async link(person: Person, login: string): Promise<FinalPage> {
    return this.getTicketOrError(login, await this.startLinking(person));
  }

  isCallback(url: string): boolean {
    return url.startsWith(this.holdallUrl + CALLBACK);
  }

  isPage(url: string): boolean {
    return url.startsWith(this.holdallUrl) && /^\/(?:login|profile)$/.test(new URL(url).pathname);
  }

  #store(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf('='));
    const isOver = attributes.some((attribute) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(attribute));
    if (isOver) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(name.length + 1));
  }
}
