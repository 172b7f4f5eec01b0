import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ServerMetadata,
} from 'openid-client';
import { type Clock, HOUR, type Instant, SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { boundFetch } from './bounded-fetch.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';

/**
 * How long the provider's metadata is cached. Its keys are fetched again when a token names an unknown key.
 */
const METADATA_LIFETIME_MS = HOUR;

/** How long the provider is not contacted after a failure. */
const RETRY_AFTER_MS = 5 * SECOND;

/** The timeout of one request to the provider. */
const REQUEST_TIMEOUT_SECONDS = 10;

/** What the provider says about a person. The values come from outside, so they may have any type. */
export type Claims = Readonly<Record<string, unknown>>;

/** The secrets of one login at the provider. */
export interface LoginSecrets {
  /** Returned in the query of the callback. */
  readonly state: string;
  /** Returned in the ID token. */
  readonly nonce: string;
  /** Proves that we began the login (PKCE, RFC 7636). 43 to 128 characters. */
  readonly verifier: string;
}

/** A person whom the provider has authenticated. */
export interface AuthenticatedPerson {
  readonly issuer: string;
  readonly subject: string;
  /** The claims of the ID token. */
  readonly claims: Claims;
  /**
   * Loads the claims of the ID token and of the user info endpoint: many providers return names and addresses
   * only there.
   */
  loadAllClaims(): Promise<Claims>;
}

export interface ProviderAccess {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface IdentityProviderParts {
  readonly access: ProviderAccess;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

/**
 * The OpenID Connect provider: the authorization code flow with PKCE, `state` and `nonce`. The signature of
 * every ID token is checked against the provider's keys.
 *
 * This file imports the library, which takes memory, so it is loaded only if single sign-on is on.
 */
export class IdentityProvider {
  readonly #parts: IdentityProviderParts;
  readonly #fetch = boundFetch();
  #cached: { readonly configuration: Promise<Configuration>; until: Instant } | undefined;

  /**
   * @param parts.onFault called when the provider cannot be reached, or when its description is missing or
   *   wrong
   */
  constructor(parts: IdentityProviderParts) {
    this.#parts = parts;
  }

  /**
   * The URL at the provider to redirect the browser to.
   * @throws Failure `unavailable` if the provider cannot be reached
   */
  async buildLoginUrl(redirectUri: string, { state, nonce, verifier }: LoginSecrets): Promise<string> {
    const configuration = await this.#getConfiguration();
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /**
   * Exchanges the authorization code of a callback for the claims of a person.
   * @param callbackUrl the redirect URI with the query of the callback
   * @throws Failure `unavailable` if the provider cannot be reached
   * @throws SingleSignOnFailure if the person or the provider has denied the login, or anything about the
   *   answer is wrong
   */
  async redeem(callbackUrl: URL, { state, nonce, verifier }: LoginSecrets): Promise<AuthenticatedPerson> {
    const configuration = await this.#getConfiguration();
    const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    }).catch((error: unknown) => this.#throwTranslated(error));
    const claims = tokens.claims();
    if (claims === undefined) throw new SingleSignOnFailure('failed', 'There is no ID token.');
    const { iss: issuer, sub: subject } = claims;
    const loadAllClaims = async () => {
      if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
      const more = await fetchUserInfo(configuration, tokens.access_token, subject).catch((error: unknown) =>
        this.#throwTranslated(error),
      );
      // The claims of the ID token are signed, so they override those of the user info endpoint.
      return { ...more, ...claims };
    };
    return { issuer, subject, claims, loadAllClaims };
  }

  /** Translates the errors of the library, which checks everything that OpenID Connect requires. */
  #throwTranslated(error: unknown): never {
    const failure = findFailure(error);
    if (failure !== undefined) {
      this.#parts.onFault(failure);
      throw failure;
    }
    const refusal = error instanceof Error && 'error' in error ? error.error : undefined;
    throw new SingleSignOnFailure(refusal === 'access_denied' ? 'denied' : 'failed', 'The login failed.', {
      cause: error,
    });
  }

  #getConfiguration(): Promise<Configuration> {
    const now = this.#parts.clock.now();
    if (this.#cached !== undefined && now < this.#cached.until) return this.#cached.configuration;
    const cached = { configuration: this.#discover(), until: now + METADATA_LIFETIME_MS };
    this.#cached = cached;
    cached.configuration.catch((error: unknown) => {
      this.#parts.onFault(error);
      cached.until = this.#parts.clock.now() + RETRY_AFTER_MS;
    });
    return cached.configuration;
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#parts.access;
    const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
    const url = new URL(issuer);
    const configuration = await discovery(
      url,
      clientId,
      clientSecret,
      (provider, ...rest) => (takesBasic(provider) ? basic : post)(provider, ...rest),
      {
        timeout: REQUEST_TIMEOUT_SECONDS,
        [customFetch]: this.#fetch,
        execute: [
          // Without this the library trusts the connection, and does not check signatures.
          enableNonRepudiationChecks,
          // The configuration allows HTTP only for a provider on this machine.
          ...(url.protocol === 'http:' ? [allowInsecureRequests] : []),
        ],
      },
    ).catch((error: unknown) => {
      // A wrong setting or a fault of the provider: in both cases no one can log in.
      throw (
        findFailure(error) ??
        new Failure('unavailable', 'The provider gives no description.', { cause: error })
      );
    });
    return configuration;
  }
}

/** `client_secret_basic` is the default (OpenID Connect Discovery 1.0, section 3). */
function takesBasic({ token_endpoint_auth_methods_supported: methods }: ServerMetadata): boolean {
  return methods === undefined || methods.includes('client_secret_basic');
}

/** The Failure in the error's chain of causes; undefined if there is none. */
function findFailure(error: unknown): Failure | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth += 1) {
    if (cause instanceof Failure) return cause;
    cause = cause.cause;
  }
  return undefined;
}
