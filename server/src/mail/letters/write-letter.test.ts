// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECURITY_ACTIONS } from '../../base/domain/accounts.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../base/domain/notifications.ts';
import {
  type DataOf,
  findLetterLanguage,
  type Letter,
  type LetterKind,
  type LetterLanguage,
  toLetterLanguage,
} from './letter.ts';
import { writeLetter } from './write-letter.ts';

const SITE = { url: 'https://drive.example.org:8443', name: 'Holdall' };
/** At least one letter of each kind: one for each of its variants. */
const VARIANTS: { readonly [K in LetterKind]: readonly [DataOf<K>, ...DataOf<K>[]] } = {
  VERIFICATION: [{ token: 'token' }],
  PASSWORD_RESET: [{ displayName: 'Ada', token: 'token' }],
  INVITATION: [{ inviterName: 'Ada', code: 'code' }],
  TEST: [{}],
  DRIVE_MEMBER: [
    { driveId: 7, driveName: 'Plans', role: 'EDITOR', isNew: true, byName: 'Ada' },
    { driveId: 7, driveName: 'Plans', role: 'VIEWER', isNew: true, byName: null },
    { driveId: 7, driveName: 'Plans', role: 'EDITOR', isNew: false, byName: 'Ada' },
    { driveId: 7, driveName: 'Plans', role: 'MANAGER', isNew: false, byName: null },
  ],
  LINK_FILES: [
    { ...linkFiles(), driveName: null, files: 1, senders: [] },
    { ...linkFiles(), driveName: 'Plans', files: 3, senders: ['Ada', 'Bob'] },
  ],
  TRANSFER_FETCHED: [
    { files: 1, fileName: 'a.txt' },
    { files: 2, fileName: 'a.txt' },
  ],
  SHARE_ENDED: (['SHARE', 'FOLDER_LINK'] as const).flatMap((of) => [
    { of, id: 1, name: 'a.txt', driveId: 7, reason: 'USED_UP' as const, expiresAt: null },
    { of, id: 1, name: 'a.txt', driveId: 7, reason: 'EXPIRES_SOON' as const, expiresAt: 1_800_000_000_000 },
    { of, id: 1, name: 'a.txt', driveId: 7, reason: 'EXPIRES_SOON' as const, expiresAt: null },
  ]) as unknown as readonly [DataOf<'SHARE_ENDED'>],
  SECURITY: [
    { event: 'NEW_LOGIN', program: 'Firefox', address: '192.0.2.7' },
    ...SECURITY_ACTIONS.map((event) => ({ event, program: null, address: null })),
  ],
  DRIVE_FULL: [
    { driveId: 7, driveName: null, usedBytes: 95, quotaBytes: 100 },
    { driveId: 7, driveName: 'Plans', usedBytes: 95, quotaBytes: 100 },
  ],
  TASK_FAILED: ['ARCHIVE', 'EXTRACT', 'MEDIA_META', 'STORAGE_POLICY_MIGRATION', 'LATER'].map((type) => ({
    ...{ taskId: 1, type, driveId: 7, error: 'It is too large.' },
  })) as unknown as readonly [DataOf<'TASK_FAILED'>],
  SERVICE_FAULT: [
    { fault: 'DISK', name: '/data', message: '1 GB is left.' },
    { fault: 'JOB', name: 'sweep the store', message: 'It failed.' },
    { fault: 'DOCTOR', name: 'doctor', message: 'It failed.' },
    { fault: 'BACKUP', name: 'backup', message: 'It failed.' },
  ],
};
const LETTERS = Object.entries(VARIANTS).flatMap(([kind, variants]) =>
  (variants as readonly object[]).map((data) => ({ kind, ...data }) as Letter),
);
const CANNOT_BE_TURNED_OFF: readonly NotificationKind[] = ['SECURITY'];
const LANGUAGES: readonly LetterLanguage[] = ['en', 'zh-CN'];

test('Chinese letters go to everyone who prefers a kind of Chinese, English ones to all others', () => {
  for (const tag of ['zh', 'zh-CN', 'zh-Hans', 'ZH-tw']) assert.equal(toLetterLanguage(tag), 'zh-CN', tag);
  for (const tag of [null, 'en', 'de-CH', 'zha', '']) assert.equal(toLetterLanguage(tag), 'en', String(tag));
});

test('the language of a letter is the one that the client likes best of those that there are', () => {
  for (const [header, expected] of [
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN'],
    ['en;q=0.5, zh-TW;q=0.7', 'zh-CN'],
    ['de-CH, fr;q=0.9, en;q=0.3', 'en'],
    ['zh;q=0, en-GB', 'en'],
    ['de', null],
    ['*', null],
    ['', null],
    [undefined, null],
    [`${'de,'.repeat(1_000)}zh`, null],
  ] as const) {
    assert.equal(findLetterLanguage(header), expected, header?.slice(0, 40));
  }
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
      for (const part of [subject, text, html]) assert(!/undefined|null|NaN|\[object/.test(part), part);
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

test('no two variants of a letter say the same', () => {
  for (const language of LANGUAGES) {
    const texts = LETTERS.map((letter) => writeLetter(letter, language, SITE).text);
    assert.equal(new Set(texts).size, LETTERS.length, language);
  }
});

test('every letter that can be turned off has a link to the settings, and no other', () => {
  for (const letter of LETTERS) {
    const canBeTurnedOff =
      NOTIFICATION_KINDS.some((kind) => kind === letter.kind) &&
      !CANNOT_BE_TURNED_OFF.some((kind) => kind === letter.kind);
    const settings = canBeTurnedOff ? `${SITE.url}/profile/devices#notifications` : undefined;
    for (const language of LANGUAGES) {
      const { settingsUrl, text, html } = writeLetter(letter, language, SITE);
      assert.equal(settingsUrl, settings, letter.kind);
      for (const body of [text, html]) {
        assert.equal(body.includes('/profile/devices#notifications'), settings !== undefined, body);
      }
    }
  }
});

test('names in letters cannot add lines or HTML', () => {
  const driveName = 'Plans\r\nBcc: eve@example.org <b>';
  const letter = { kind: 'DRIVE_MEMBER', driveId: 7, driveName, role: 'VIEWER', isNew: true } as const;
  const { subject, text, html } = writeLetter({ ...letter, byName: 'Ada' }, 'en', SITE);
  assert(!/[\r\n]/.test(subject));
  assert(!text.includes('\nBcc'));
  assert(!html.includes('<b>'));
});

function linkFiles() {
  return { linkId: 1, title: 'Photos', driveId: 7, directoryId: 9, bytes: 1_500 };
}

test('names get no link into a letter, and are shortened', () => {
  const name = `https://evil.example/win me@evil.example ${'x'.repeat(80)}`;
  const letter: Letter = {
    ...{ kind: 'LINK_FILES', linkId: 1, title: name, driveId: 7, driveName: name, directoryId: 1 },
    ...{ files: 1, bytes: 1, senders: [name] },
  };
  for (const language of LANGUAGES) {
    const { subject, text, html } = writeLetter(letter, language, SITE);
    for (const part of [subject, text, html]) {
      assert.doesNotMatch(part, /evil\.example|https:\/\/evil|me@evil/);
      assert.doesNotMatch(part, /x{60}/);
    }
  }
});
