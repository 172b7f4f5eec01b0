import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The ranked list of zxcvbn-ts. Read as a file: its module unpacks, on the event loop, five times what we need. */
const LIST = '@zxcvbn-ts/language-common/src/passwords.json';
const MOST_COMMON = 10_000;
/** Shorter ones are refused for their length. */
const SHORTEST = 8;

let loading: Promise<ReadonlySet<string>> | undefined;

/** Those of the 10,000 most common passwords that are long enough to be one, in lower case. Read at the first call. */
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
  return new Set(ranked.slice(0, MOST_COMMON).filter((password) => password.length >= SHORTEST));
}
