// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Letter, type LetterLanguage, toLetterLanguage } from './letter.ts';
import { writeLetter } from './write-letter.ts';

const SITE = { url: 'https://drive.example.org:8443' };
const LETTERS: readonly Letter[] = [
  { kind: 'VERIFICATION', displayName: 'Ada', token: 'token' },
  { kind: 'PASSWORD_RESET', displayName: 'Ada', token: 'token' },
  { kind: 'INVITATION', inviterName: 'Ada', code: 'code' },
  { kind: 'TEST' },
];
const LANGUAGES: readonly LetterLanguage[] = ['en', 'zh-CN'];

test('Chinese letters go to everyone who prefers a kind of Chinese, English ones to all others', () => {
  for (const tag of ['zh', 'zh-CN', 'zh-Hans', 'ZH-tw']) assert.equal(toLetterLanguage(tag), 'zh-CN', tag);
  for (const tag of [null, 'en', 'de-CH', 'zha', '']) assert.equal(toLetterLanguage(tag), 'en', String(tag));
});

test('every letter exists in every language, names the instance, and has its link in text and HTML', () => {
  for (const letter of LETTERS) {
    const subjects = LANGUAGES.map((language) => {
      const { subject, text, html } = writeLetter(letter, language, SITE);
      for (const body of [text, html]) {
        assert(body.includes('drive.example.org:8443'), body);
        if ('token' in letter) assert(body.includes('#token=token'), body);
        if ('code' in letter) assert(body.includes('/register#code=code'), body);
      }
      assert(html.includes(`<html lang="${language}">`));
      return subject;
    });
    assert.equal(new Set(subjects).size, LANGUAGES.length, letter.kind);
  }
});

test('HTML sets no colour for text and no background, so it can be read in dark mode', () => {
  for (const letter of LETTERS) {
    const { html } = writeLetter(letter, 'en', SITE);
    assert(html.includes('<meta name="color-scheme" content="light dark">'));
    const withoutButton = html.replaceAll(/<a href="[^"]*" style="[^"]*background-color[^"]*">/g, '');
    assert(!/background|color:#/.test(withoutButton), withoutButton);
    assert(!/<style|<link|<img|<script/.test(html));
  }
});
