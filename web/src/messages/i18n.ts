import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isolate } from '../../../client/src/common/direction-marks.ts';
import { readStored, writeStored } from '../api/stored.ts';
import type { Messages } from './messages.ts';

/** The name of each language in that language. */
export const LANGUAGES = { en: 'English', 'zh-CN': '简体中文' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'holdall.language';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Messages };
  }
}

/**
 * English comes with the modules that use it (`web/english-messages.ts`); other languages are loaded on
 * demand.
 */
const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<object>> = {
  'zh-CN': async () => (await import('./simplified-chinese.ts')).simplifiedChinese,
};

export const messages: i18n = createInstance();

/** The English messages of the modules that were loaded so far. */
const english: { -readonly [A in keyof Messages]?: Messages[A] } = {};

/**
 * Adds the messages of an area. Called by modules that the build makes, before those that use the messages.
 */
export function addEnglish<A extends keyof Messages>(area: A, texts: Messages[A]): void {
  english[area] = texts;
  if (messages.isInitialized) messages.addResourceBundle('en', 'translation', { [area]: texts }, true);
}

/** @param wish the preferred language of the logged-in user, a BCP 47 tag */
export async function startMessages(wish?: string | null): Promise<void> {
  await messages.use(initReactI18next).init({
    resources: { en: { translation: english } },
    lng: 'en',
    fallbackLng: 'en',
    // React escapes HTML. `{{- name}}` is for names of files that are to be made.
    interpolation: { escapeValue: true, escape: isolate },
    // Tests fail with it.
    saveMissing: true,
    missingKeyHandler: (_languages, _namespace, key) => reportError(new Error(`There is no message ${key}.`)),
  });
  await suggestLanguage(wish);
}

/**
 * Changes the language of the page to the one in the user's profile, unless another was chosen on this
 * device.
 */
export async function suggestLanguage(wish: string | null | undefined): Promise<void> {
  await speak(chosenLanguage() ?? (wish ? toLanguage(wish) : undefined) ?? browserLanguage());
}

/** Changes the language of the page, also for the next visit. */
export async function chooseLanguage(language: Language): Promise<void> {
  writeStored(KEY, language);
  await speak(language);
}

export function currentLanguage(): Language {
  return isLanguage(messages.language) ? messages.language : 'en';
}

/**
 * The language with the region that the browser names for it, for dates and numbers: 2 May is written in
 * another way in Britain than in the United States.
 */
export function currentLocale(): string {
  const language = currentLanguage();
  return navigator.languages.find((locale) => locale.startsWith(`${language}-`)) ?? language;
}

async function speak(language: Language): Promise<void> {
  if (language !== 'en' && !messages.hasResourceBundle(language, 'translation')) {
    messages.addResourceBundle(language, 'translation', await LOADERS[language]());
  }
  await messages.changeLanguage(language);
  document.documentElement.lang = language;
}

function chosenLanguage(): Language | undefined {
  const chosen = readStored(KEY);
  return isLanguage(chosen) ? chosen : undefined;
}

function browserLanguage(): Language {
  for (const tag of navigator.languages) {
    const language = toLanguage(tag);
    if (language !== undefined) return language;
  }
  return 'en';
}

/** The available language that best matches the preferred one. */
function toLanguage(tag: string): Language | undefined {
  if (tag.startsWith('zh')) return 'zh-CN';
  return tag.startsWith('en') ? 'en' : undefined;
}

function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && Object.hasOwn(LANGUAGES, text);
}
