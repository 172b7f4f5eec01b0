import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts';

const UNITS_MS = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const;

/**
 * Reads settings from environment variables and gathers every fault, so that a start with three wrong values
 * names all three at once. An empty value counts as not set.
 */
export class Environment {
  readonly faults: string[] = [];
  readonly #values: Readonly<Record<string, string | undefined>>;

  constructor(values: Readonly<Record<string, string | undefined>>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return value === undefined || value === '' ? undefined : value;
  }

  /** A text that only counts when `pattern` matches it; `expected` says in words what would. */
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

  secret(name: string, leastBytes: number): string | undefined {
    const value = this.text(name);
    if (value !== undefined && Buffer.byteLength(value) < leastBytes) {
      this.faults.push(`${name} must be at least ${leastBytes} bytes long.`);
    }
    return value;
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], standard: T): T {
    const value = this.text(name);
    if (value === undefined) return standard;
    const found = allowed.find((candidate) => candidate === value.toLowerCase());
    if (found === undefined) this.fault(name, `one of ${allowed.join(', ')}`);
    return found ?? standard;
  }

  flag(name: string, standard: boolean): boolean {
    const spelled = this.oneOf(name, ['true', 'false', 'on', 'off', '1', '0'], standard ? 'true' : 'false');
    return spelled === 'true' || spelled === 'on' || spelled === '1';
  }

  integer(name: string, standard: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
    const value = this.text(name);
    if (value === undefined) return standard;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    this.fault(name, `a whole number from ${least} to ${most}`);
    return standard;
  }

  decimal(name: string, standard: number, least: number): number {
    const value = this.text(name);
    if (value === undefined) return standard;
    const number = Number(value);
    if (Number.isFinite(number) && number >= least) return number;
    this.fault(name, `a number of at least ${least}`);
    return standard;
  }

  /**
   * Gives milliseconds. Without a bound of its own a duration is at most 100 years, so that instants stay
   * dates.
   */
  durationMs(name: string, standard: string, mostMs = 36_500 * DAY): number {
    const value = this.text(name) ?? standard;
    const milliseconds = parseDuration(value);
    if (milliseconds === undefined) this.fault(name, 'a duration such as 500ms, 15m or 10d');
    else if (milliseconds > mostMs) this.fault(name, `at most ${Math.floor(mostMs / DAY)}d`);
    return milliseconds ?? 0;
  }

  list(name: string, standard: readonly string[] = []): readonly string[] {
    const value = this.text(name);
    if (value === undefined) return standard;
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  /** An http(s) address without query; a trailing slash is cut. */
  url(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
      this.fault(name, 'an address such as https://drive.example.org');
      return undefined;
    }
    return url.href.replace(/\/+$/, '');
  }

  fault(name: string, expected: string): void {
    this.faults.push(`${name} must be ${expected}.`);
  }
}

/** `500ms`, `15m`, `10d` to milliseconds; undefined for anything else, zero included. */
function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return undefined;
  const milliseconds = Number(match[1]) * UNITS_MS[match[2] as keyof typeof UNITS_MS];
  return milliseconds > 0 && Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}
