import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { english, type Messages } from './english.ts';

/** Each with its own name for itself. */
export const LANGUAGES = { en: 'English', 'zh-CN': '简体中文' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'holdall.language';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Messages };
  }
}

/** English comes with the page, others are loaded when somebody reads them. */
const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<object>> = {
  'zh-CN': async () => (await import('./simplified-chinese.ts')).simplifiedChinese,
};

export const messages: i18n = createInstance();

/** @param wish the language of whoever is logged in, a BCP 47 tag */
export async function startMessages(wish?: string | null): Promise<void> {
  await messages.use(initReactI18next).init({
    resources: { en: { translation: english } },
    lng: 'en',
    fallbackLng: 'en',
    // React escapes.
    interpolation: { escapeValue: false },
  });
  await suggestLanguage(wish);
}

/** Changes the language of the page to the one that somebody has in their profile, unless another was chosen on this device. */
export async function suggestLanguage(wish: string | null | undefined): Promise<void> {
  await speak(chosenLanguage() ?? (wish ? toLanguage(wish) : undefined) ?? browserLanguage());
}

/** Changes the language of the page, and of the next visit. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language);
  await speak(language);
}

export function currentLanguage(): Language {
  return isLanguage(messages.language) ? messages.language : 'en';
}

async function speak(language: Language): Promise<void> {
  if (language !== 'en' && !messages.hasResourceBundle(language, 'translation')) {
    messages.addResourceBundle(language, 'translation', await LOADERS[language]());
  }
  await messages.changeLanguage(language);
  document.documentElement.lang = language;
}

function chosenLanguage(): Language | undefined {
  const chosen = localStorage.getItem(KEY);
  return isLanguage(chosen) ? chosen : undefined;
}

function browserLanguage(): Language {
  for (const tag of navigator.languages) {
    const language = toLanguage(tag);
    if (language !== undefined) return language;
  }
  return 'en';
}

/** The language of ours that somebody reads who asks for that one. */
function toLanguage(tag: string): Language | undefined {
  if (tag.startsWith('zh')) return 'zh-CN';
  return tag.startsWith('en') ? 'en' : undefined;
}

function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && Object.hasOwn(LANGUAGES, text);
}
