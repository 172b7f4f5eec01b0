import { LanguageDescription } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { textKindOf } from '../text-kind.ts';

/** The highlighting of a file's language. Undefined if there is none, or if it cannot be loaded now. */
export async function loadLanguage(filename: string): Promise<Extension | undefined> {
  try {
    const { languages } = await import('@codemirror/language-data');
    if (textKindOf({ filename }) === 'markdown') {
      const { markdown, markdownLanguage } = await import('@codemirror/lang-markdown');
      return markdown({ base: markdownLanguage, codeLanguages: languages });
    }
    const find = (name: string) => LanguageDescription.matchFilename(languages, name);
    return await (find(filename) ?? find(filename.toLowerCase()))?.load();
  } catch {
    return undefined;
  }
}
