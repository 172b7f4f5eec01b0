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

export async function startMessages(): Promise<void> {
  await messages.use(initReactI18next).init({
    resources: { en: { translation: english } },
    lng: 'en',
    fallbackLng: 'en',
    // React escapes.
    interpolation: { escapeValue: false },
  });
  await speak(preferredLanguage());
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

function preferredLanguage(): Language {
  const chosen = localStorage.getItem(KEY);
  if (isLanguage(chosen)) return chosen;
  for (const tag of navigator.languages) {
    if (tag.startsWith('zh')) return 'zh-CN';
    if (tag.startsWith('en')) return 'en';
  }
  return 'en';
}

function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && Object.hasOwn(LANGUAGES, text);
}
