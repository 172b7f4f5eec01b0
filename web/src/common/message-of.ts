import { HoldallError } from '../../../client/src/errors/errors.ts';
import { currentLanguage, messages } from '../messages/i18n.ts';
import { LazyModule } from './timing/lazy-module.ts';
import { pause } from './timing/pause.ts';

/** If loading the translations takes longer, the message is shown without them. */
const MAX_WAIT_MS = 2_000;

const sentences = new LazyModule(() => import('./service-sentences.ts'));
let keyOfSentence: typeof import('./service-sentences.ts').keyOfSentence | undefined;

/** Loads the client's translations of service messages. Until then, only the kind of error is shown. */
export async function loadSentences(): Promise<void> {
  ({ keyOfSentence } = await sentences.get());
}

const KNOWN = [0, 400, 401, 403, 404, 409, 410, 413, 429, 500, 503] as const;

/**
 * The message for the user: the client's translation of the service's message, if there is one. Otherwise it
 * is the service's own message if it is in the user's language, or else the kind of error.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof HoldallError)) return messages.t('common.failed');
  const sentence = keyOfSentence?.(error.message);
  if (sentence !== undefined) return messages.t(sentence);
  if (currentLanguage() === 'en' && error.status !== 0) return error.message;
  const status = KNOWN.find((known) => known === error.status);
  return status === undefined ? messages.t('common.failed') : messages.t(`common.error${status}`);
}

/** The message for the user. Waits for the translations to load, but not for long. */
export async function loadMessageOf(error: unknown): Promise<string> {
  const mayHaveWords = error instanceof HoldallError && error.status !== 0;
  if (mayHaveWords && keyOfSentence === undefined) await Promise.race([loadSentences(), pause(MAX_WAIT_MS)]);
  return messageOf(error);
}
