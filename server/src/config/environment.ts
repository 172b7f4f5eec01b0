import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts';

const UNITS_MS = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const;

/**
 * Reads settings from environment variables and collects the faults, so that one start reports all wrong
 * values. An empty value counts as not set.
 */
export class Environment {
  readonly faults: string[] = [];
  /** The names that have been read. */
  readonly names = new Set<string>();
  readonly #values: Readonly<Record<string, string | undefined>>;

  constructor(values: Readonly<Record<string, string | undefined>>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    this.names.add(name);
    const value = this.#values[name];
    return value === undefined || value === '' ? undefined : value;
  }

  /** A text that must match `pattern`; `expected` describes the valid values in the message. */
  pattern(name: string, pattern: RegExp, expected: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || pattern.test(value)) return value;
    this.fault(name, expected);
    return undefined;
  }

  required(name: string, expected: string): string {
    const value = this.text(name);
    if (value === undefined) this.fault(name, expected);
    return value ?? '';
  }

  secret(name: string, minBytes: number): string | undefined {
    const value = this.text(name);
    if (value !== undefined && Buffer.byteLength(value) < minBytes) {
      this.faults.push(`${name} must be at least ${minBytes} bytes long.`);
    }
    return value;
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], defaultValue: T): T {
    const value = this.text(name);
    if (value === undefined) return defaultValue;
    const found = allowed.find((candidate) => candidate === value.toLowerCase());
    if (found === undefined) this.fault(name, `one of ${allowed.join(', ')}`);
    return found ?? defaultValue;
  }

  flag(name: string, defaultValue: boolean): boolean {
    const spelled = this.oneOf(
      name,
      ['true', 'false', 'on', 'off', '1', '0'],
      defaultValue ? 'true' : 'false',
    );
    return spelled === 'true' || spelled === 'on' || spelled === '1';
  }

  integer(name: string, defaultValue: number, min: number, max = Number.MAX_SAFE_INTEGER): number {
    const value = this.text(name);
    if (value === undefined) return defaultValue;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    this.fault(name, `a whole number from ${min} to ${max}`);
    return defaultValue;
  }

  /** A number of bytes, or one with a unit: `1G` and `1GiB` are 1,073,741,824 bytes, `1GB` is 1,000,000,000. */
  bytes(name: string, defaultValue: number, min: number): number {
    const value = this.text(name);
    if (value === undefined) return defaultValue;
    const bytes = parseBytes(value);
    if (bytes !== undefined && bytes >= min) return bytes;
    this.fault(name, `a number of bytes such as 500M or 10G${min > 0 ? `, at least ${min}` : ''}`);
    return defaultValue;
  }

  decimal(name: string, defaultValue: number, min: number, max: number): number {
    const value = this.text(name);
    if (value === undefined) return defaultValue;
    const number = Number(value);
    if (number >= min && number <= max) return number;
    this.fault(name, `a number from ${min} to ${max}`);
    return defaultValue;
  }

  /**
   * Reads a duration in milliseconds. The default maximum is 100 years, so that an instant plus the duration
   * is still a valid date.
   */
  durationMs(
    name: string,
    defaultValue: string,
    { min = '1ms', max = '36500d' }: { readonly min?: string; readonly max?: string } = {},
  ): number {
    const milliseconds = parseDuration(this.text(name) ?? defaultValue);
    const [least = 0, most = 0] = [parseDuration(min), parseDuration(max)];
    if (milliseconds === undefined) this.fault(name, 'a duration such as 500ms, 15m or 10d');
    else if (milliseconds < least || milliseconds > most) this.fault(name, `from ${min} to ${max}`);
    return milliseconds ?? 0;
  }

  list(name: string, defaultValue: readonly string[] = []): readonly string[] {
    const value = this.text(name);
    if (value === undefined) return defaultValue;
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  /** The URL of a web server's root. */
  rootUrl(name: string): string | undefined {
    const url = this.url(name);
    if (url === undefined || new URL(url).pathname === '/') return url;
    this.fault(name, 'a URL without a path: Holdall needs a host name of its own');
    return undefined;
  }

  /** An http(s) URL without a query; a trailing slash is removed. */
  url(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
      this.fault(name, 'a URL such as https://drive.example.org');
      return undefined;
    }
    return url.href.replace(/\/+$/, '');
  }

  fault(name: string, expected: string): void {
    this.faults.push(`${name} must be ${expected}.`);
  }
}

const UNITS = 'KMGTP';

/** Converts `1073741824`, `1G`, `1GiB` or `1GB` to bytes; undefined for anything else. */
function parseBytes(text: string): number | undefined {
  const [, digits, unit, kind] = /^(\d{1,16})\s?(?:([KMGTP])(i?B)?|B)?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const base = kind?.toLowerCase() === 'b' ? 1_000 : 1_024;
  const bytes = Number(digits) * base ** (unit === undefined ? 0 : UNITS.indexOf(unit.toUpperCase()) + 1);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Converts `500ms`, `15m` or `10d` to milliseconds; undefined for anything else, zero included. */
function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return undefined;
  const milliseconds = Number(match[1]) * UNITS_MS[match[2] as keyof typeof UNITS_MS];
  return milliseconds > 0 && Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}
