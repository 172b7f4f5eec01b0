import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/**
 * The ranked list of zxcvbn-ts. It is read as a file, because importing its module would load five times as
 * much and block the event loop.
 */
const LIST = '@zxcvbn-ts/language-common/src/passwords.json';
const LIST_LENGTH = 10_000;
/** Shorter passwords are rejected for their length. */
const MIN_LENGTH = 8;

let loading: Promise<ReadonlySet<string>> | undefined;

/**
 * The 10,000 most common passwords without those that are too short, in lower case. Read at the first call.
 */
export function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= readList().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function readList(): Promise<ReadonlySet<string>> {
  const text = await readFile(createRequire(import.meta.url).resolve(LIST), 'utf8');
  const ranked: readonly string[] = JSON.parse(text);
  return new Set(ranked.slice(0, LIST_LENGTH).filter((password) => password.length >= MIN_LENGTH));
}
