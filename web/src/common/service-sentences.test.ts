// tier: default
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { keyOfSentence } from './service-sentences.ts';

const SERVER = path.join(import.meta.dirname, '../../../server/src');

/** Sentences without a translation: the status is enough for users, or only programs get them. */
const WITHOUT_TRANSLATION = [
  'The body is too large.',
  'The picture is larger than was announced.',
  'The request has more bytes than the upload has left.',
  'This transfer has too many unread signals.',
  'Too many attempts. Please wait before trying again.',
  'Too many clients are waiting at the moment.',
  'Too many event streams of this account are open.',
  'Too many files are open.',
  'Too many requests from this address at once. Please wait a moment.',
  'Too many requests from this address. Please wait a moment.',
  'Not ready.',
  'The answer of the provider is too long.',
  'The object store returned different bytes than were written.',
  'The provider cannot be reached.',
  'The provider gives no description.',
  'The service is stopping.',
  'The storage returned different bytes than were written.',
  'The write was lost.',
];

/** Sentences about limits and outages. The status alone does not say which limit, or what to do. */
function listSentences(): readonly string[] {
  const files = globSync('**/*.ts', { cwd: SERVER }).filter(
    (file) => !/\.test\.ts$|^(backup|cli)\//.test(file),
  );
  return files.flatMap((file) => {
    const source = readFileSync(path.join(SERVER, file), 'utf8');
    const failures = source.matchAll(/Failure\(\s*'(?:over-limit|too-many|unavailable)',\s*'([^'$]+)'/g);
    const named = source.matchAll(/(?:message: |^const [A-Z_]+ =\s*|\['E[A-Z]+', )'([A-Z][^'$]*[.])'/gm);
    const isOfOutages = /outages\.ts$|engine\.ts$|file-system\/|usage\/usage\.ts$/.test(file);
    return [...failures, ...(isOfOutages ? named : [])].map((match) => match[1] ?? '');
  });
}

test('every sentence of the server about a limit or an outage is translated', () => {
  const sentences = [...new Set(listSentences())];
  assert.ok(sentences.length > 50, `${sentences.length}`);
  assert.deepEqual(
    sentences.filter((text) => keyOfSentence(text) === undefined && !WITHOUT_TRANSLATION.includes(text)),
    [],
  );
  assert.deepEqual(
    WITHOUT_TRANSLATION.filter((text) => !sentences.includes(text)),
    [],
  );
});
