import type { LetterContent } from './layout.ts';
import type { DataOf, LetterKind, LetterLanguage } from './letter.ts';

/** What the texts of a letter can refer to besides its data. */
export interface LetterContext {
  /** The name of the instance. */
  readonly name: string;
  /** The host name of the instance, with its port. */
  readonly host: string;
  /** The address of a page. */
  readonly page: (path: string) => string;
  /**
   * The address of a page with a secret, in the fragment. So browsers do not send it to the server when they
   * open the page.
   */
  readonly link: (path: string, name: string, secret: string) => string;
}

/** The texts of one kind of letter, in every language. */
export type LetterTexts<K extends LetterKind> = {
  readonly [L in LetterLanguage]: (data: DataOf<K>, context: LetterContext) => LetterContent;
};
