import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { type Context, Provider } from 'oidc-provider';
import { createSigningKey, type SigningKey, toPrivateJwk } from './jwt.ts';
import { createAdapter } from './memory-adapter.ts';

const CLIENT_ID = 'holdall';
export const CLIENT_SECRET = 'a secret & more: with signs';
export const PROVIDER_NAME = 'Example ID';

const CALLBACK = '/api/auth/oidc/callback';

/** Claims that people may have, besides those of the standard scopes. */
const ADMIN_CLAIM = 'holdall_admin';

/** Changes the answer of the token endpoint. */
type ChangeTokens = (answer: Record<string, unknown> & { id_token: string }) => object;

/** A real OpenID Connect provider (`oidc-provider`) on loopback. Anyone can log in there, with any name. */
export class TestProvider {
  readonly issuer: string;
  readonly key: SigningKey = createSigningKey('the key');
  /** The paths of the requests so far. */
  readonly requests: string[] = [];
  /** Replaces the answer of the token endpoint. */
  changeTokens: ChangeTokens | undefined;
  /** While this is set, it answers instead of the provider. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  readonly #people = new Map<string, object>();
  readonly #redirectUris: string[] = [];
  #provider: Provider | undefined;

  constructor(issuer: string) {
    this.issuer = issuer;
  }

  /** The settings of a Holdall that uses it. */
  env(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
    return {
      HOLDALL_OIDC_ISSUER: this.issuer,
      HOLDALL_OIDC_CLIENT_ID: CLIENT_ID,
      HOLDALL_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      HOLDALL_OIDC_NAME: PROVIDER_NAME,
      ...more,
    };
  }

  /** Registers the services at these URLs. Must be called before the first login. */
  admitClients(...urls: readonly string[]): void {
    this.#redirectUris.push(...urls.map((url) => new URL(CALLBACK, url).href));
    this.#provider = undefined;
  }

  /** Sets the claims about a person, besides the login name. */
  describe(login: string, claims: object): void {
    this.#people.set(login, claims);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split('?')[0] ?? '';
    this.requests.push(`${request.method} ${path}`);
    if (this.answer?.(request, response) === true) return;
    if (path.startsWith('/login/')) {
      this.#answerLoginPage(request, response).catch((error: unknown) => response.destroy(error as Error));
    } else this.#getProvider().callback()(request, response);
  }

  async #answerLoginPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>${PROVIDER_NAME}</title><form method="post">
        <label>Name <input name="login" autofocus></label><button>Continue</button>
        <button name="cancel" value="true">Cancel</button></form>`);
      return;
    }
    const form = new URLSearchParams(await text(request));
    const result = form.has('cancel')
      ? { error: 'access_denied', error_description: 'The person has cancelled.' }
      : { login: { accountId: form.get('login'), remember: false } };
    await this.#getProvider().interactionFinished(request, response, result);
  }

  #getProvider(): Provider {
    this.#provider ??= this.#createProvider();
    return this.#provider;
  }

  #createProvider(): Provider {
    assert.ok(this.#redirectUris.length > 0, 'no client is admitted');
    const provider = new Provider(this.issuer, {
      adapter: createAdapter(),
      clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: this.#redirectUris }],
      jwks: { keys: [toPrivateJwk(this.key)] },
      cookies: { keys: ['of the tests'] },
      features: { devInteractions: { enabled: false } },
      claims: {
        profile: ['name', 'preferred_username', 'nickname', ADMIN_CLAIM],
        email: ['email', 'email_verified'],
      },
      pkce: { required: () => true },
      ttl: {
        AccessToken: 60,
        AuthorizationCode: 60,
        IdToken: 60,
        Grant: 600,
        Interaction: 600,
        Session: 600,
      },
      interactions: { url: (_context: Context, { uid }: { uid: string }) => `/login/${uid}` },
      findAccount: (_context: Context, login: string) => ({
        accountId: login,
        claims: async () => ({ sub: login, preferred_username: login, ...this.#people.get(login) }),
      }),
      // Grants consent without asking.
      loadExistingGrant: async ({ oidc }: Context) => {
        const [clientId, accountId] = [oidc.client?.clientId, oidc.session?.accountId];
        if (clientId === undefined || accountId === undefined) return undefined;
        const grant = new oidc.provider.Grant({ clientId, accountId });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
      renderError: async (context: Context, out: object) => {
        context.body = JSON.stringify(out);
      },
    });
    provider.use(async (context, next) => {
      await next();
      if (context.path !== '/token' || this.changeTokens === undefined) return;
      const answer = context.body as Parameters<ChangeTokens>[0];
      if (answer.id_token !== undefined) context.body = this.changeTokens(answer);
    });
    provider.on('server_error', (_context, error) => {
      throw error;
    });
    return provider;
  }
}

/** Starts a provider that is closed after the test file. */
export async function startProvider(): Promise<TestProvider> {
  const server = createServer((request, response) => provider.handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider = new TestProvider(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return provider;
}
