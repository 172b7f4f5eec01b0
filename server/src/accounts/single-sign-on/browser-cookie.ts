import { parseCookie, stringifySetCookie } from 'cookie';

interface BrowserCookieParts {
  readonly name: string;
  readonly sameSite: 'lax' | 'strict';
  readonly lifetimeSeconds: number;
}

/**
 * A cookie that binds a step of a login to the browser that started it, so that no one can trick another
 * person's browser into finishing it. With TLS its name has the prefix `__Host-`, so that other hosts of the
 * domain cannot set it (RFC 6265bis, section 4.1.3.2).
 */
export class BrowserCookie {
  readonly #parts: BrowserCookieParts;

  /** @param parts.sameSite `lax` if the browser must send it when the provider redirects it */
  constructor(parts: BrowserCookieParts) {
    this.#parts = parts;
  }

  /** The value of `Set-Cookie`. @param value an empty one removes the cookie */
  toSetCookie(value: string, isSecure: boolean): string {
    return stringifySetCookie({
      name: this.#nameFor(isSecure),
      value,
      path: '/',
      maxAge: value === '' ? 0 : this.#parts.lifetimeSeconds,
      httpOnly: true,
      sameSite: this.#parts.sameSite,
      secure: isSecure,
    });
  }

  /** @param header the request's `Cookie` header */
  read(header: string | undefined, isSecure: boolean): string | undefined {
    return parseCookie(header ?? '')[this.#nameFor(isSecure)] || undefined;
  }

  #nameFor(isSecure: boolean): string {
    return isSecure ? `__Host-${this.#parts.name}` : this.#parts.name;
  }
}
