import { createHash } from 'node:crypto';
import { withTimeLimit } from '../base/concurrency/time-limit.ts';
import { Failure } from '../base/failure.ts';
import type { Requester } from '../base/network/requester-key.ts';
import { MAX_UNITS_PER_CHARACTER, toNormalForm } from '../base/text/names/normal-form.ts';
import type { Database, Tx } from '../database/database.ts';
import type { GeneratedFile } from '../http/download/generated-file.ts';
import { DEFAULT_INSTANCE_NAME, type Settings } from '../settings/settings.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';
import type { Instance } from './contract.ts';

export const MAX_NAME = 40;
export const MAX_GREETING = 300;
export const MAX_GREETING_LINES = 6;

/** The longest side of the logo in pixels. No page shows a larger one. */
const LOGO_SIDE = 256;
const VERSION_DIGITS = 16;

/** For the database, in milliseconds. */
const MAX_WAIT_MS = 1_000;

const CACHED_FOR_EVER = 'public, max-age=31536000, immutable';

interface InstanceParts {
  readonly database: Database;
  readonly settings: Settings;
  readonly thumbnails: Thumbnails;
}

/** What an administrator changes. Missing members stay unchanged; null restores the default. */
interface InstanceTexts {
  readonly name?: string | null | undefined;
  readonly greeting?: string | null | undefined;
}

/**
 * How the instance presents itself to everyone: its name, greeting and logo. They are read from the database
 * for each request, so a change reaches all instances of the service at once.
 */
export class InstanceIdentity {
  readonly #parts: InstanceParts;
  #lastKnown: Instance = { name: DEFAULT_INSTANCE_NAME, greeting: null, logoUrl: null };

  constructor(parts: InstanceParts) {
    this.#parts = parts;
  }

  async get(db = this.#parts.database.db): Promise<Instance> {
    const { name, greeting, logoVersion } = await this.#parts.settings.findInstance(db);
    return {
      name,
      greeting: greeting ?? null,
      logoUrl: logoVersion === undefined ? null : `/api/v2/site/instance/logo?v=${logoVersion}`,
    };
  }

  /** For pages, which should not wait for a database that does not answer: then it is what was last known. */
  async getForPage(): Promise<Instance> {
    const late = () => new Failure('unavailable', 'The database does not answer. Please try again.');
    try {
      this.#lastKnown = await withTimeLimit(this.get(), MAX_WAIT_MS, late);
    } catch (error) {
      if (!(this.#parts.database.translate(error) instanceof Failure)) throw error;
    }
    return this.#lastKnown;
  }

  /** @throws Failure `not-found` without a logo */
  async openLogo(version: string | undefined): Promise<GeneratedFile> {
    const logo = await this.#parts.settings.findLogo(this.#parts.database.db);
    if (logo === undefined) throw new Failure('not-found', 'There is no logo.');
    return {
      name: 'logo.webp',
      contentType: 'image/webp',
      etag: logo.version,
      cacheControl: version === logo.version ? CACHED_FOR_EVER : 'no-cache',
      load: async () => Buffer.from(logo.base64, 'base64'),
    };
  }

  /** @throws Failure `invalid` */
  async setTexts(tx: Tx, { name, greeting }: InstanceTexts): Promise<void> {
    const texts = {
      ...(name !== undefined && { name: toName(name ?? '') }),
      ...(greeting !== undefined && { greeting: toGreeting(greeting ?? '') }),
    };
    await this.#parts.settings.putInstanceTexts(tx, texts);
  }

  /**
   * Decodes a picture and encodes it again, so only its pixels are left.
   * @throws Failure `unsupported` if it is not a picture; `unavailable`, `too-many`
   */
  toLogo(bytes: Buffer, requester: Requester, signal: AbortSignal): Promise<Buffer> {
    return this.#parts.thumbnails.encodePicture(bytes, LOGO_SIDE, requester, signal);
  }

  /** @param logo from {@link toLogo}; null to remove the logo */
  async setLogo(tx: Tx, logo: Buffer | null): Promise<void> {
    const version = logo && createHash('sha256').update(logo).digest('hex').slice(0, VERSION_DIGITS);
    await this.#parts.settings.putLogo(
      tx,
      logo === null || version === null ? null : { version, base64: logo.toString('base64') },
    );
  }
}

/** Returns null for blank text. @throws Failure `invalid` */
function toName(text: string): string | null {
  const name = toNormalForm(text.trim(), MAX_NAME * MAX_UNITS_PER_CHARACTER);
  if (name === undefined || [...name].length > MAX_NAME || NOT_IN_LINES.test(name)) {
    throw new Failure('invalid', `The name must be at most ${MAX_NAME} characters.`, { field: 'name' });
  }
  return name === '' ? null : name;
}

/** Returns null for blank text. @throws Failure `invalid` */
function toGreeting(text: string): string | null {
  const greeting = toNormalForm(
    text.trim().replaceAll(/\r\n?/g, '\n'),
    MAX_GREETING * MAX_UNITS_PER_CHARACTER,
  );
  const lines = greeting?.split('\n') ?? [];
  if (
    greeting === undefined ||
    [...greeting].length > MAX_GREETING ||
    lines.length > MAX_GREETING_LINES ||
    lines.some((line) => NOT_IN_LINES.test(line))
  ) {
    const message = `The greeting must be at most ${MAX_GREETING} characters in ${MAX_GREETING_LINES} lines.`;
    throw new Failure('invalid', message, { field: 'greeting' });
  }
  return greeting === '' ? null : greeting;
}

/** Control characters, line breaks, and marks that change the direction of the text around them. */
const NOT_IN_LINES = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
