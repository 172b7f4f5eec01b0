import type { IncomingHttpHeaders } from 'node:http';
import { findLetterLanguage, type LetterLanguage } from '../mail/mail.ts';

/** The language of letters that the client of a request prefers; null if it accepts none of them. */
export function acceptedLanguageOf(request: {
  readonly headers: IncomingHttpHeaders;
}): LetterLanguage | null {
  return findLetterLanguage(request.headers['accept-language']);
}
