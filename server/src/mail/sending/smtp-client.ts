import { SECOND } from '../../base/clock.ts';
import type { MailSettings } from '../../config/mail.ts';
import type { WrittenLetter } from '../letters/letter.ts';
import type { connect } from './connect.ts';
import { MailFault, toMailFault } from './mail-fault.ts';

/** The limit of each step of a mail, and of the whole. */
const SEND_MS = 30 * SECOND;

const TOO_SLOW = `The mail server took longer than ${SEND_MS / SECOND} s.`;

/** The maximum number of mails that are sent at the same time. */
export const PARALLEL_MAILS = 3;

export interface OutgoingMail {
  readonly to: string;
  /** The name of the sender that recipients see. */
  readonly from: string;
  readonly letter: WrittenLetter;
  readonly language: string;
  /** Stays the same if a mail is sent again, so that mail programs can recognise the copy. */
  readonly messageId: string;
}

/** Sends mails to the configured server, over connections that it keeps until it is closed. */
export class SmtpClient {
  readonly #settings: MailSettings;
  #transporter: Promise<ReturnType<typeof connect>> | undefined;

  constructor(settings: MailSettings) {
    this.#settings = settings;
  }

  /**
   * Sends a mail and returns the server's answer.
   * @param signal gives up; the server may have accepted the mail already
   * @throws MailFault
   */
  async send(
    { to, from: name, letter, language, messageId }: OutgoingMail,
    signal?: AbortSignal,
  ): Promise<string> {
    this.#transporter ??= this.#connect();
    const transporter = await this.#transporter;
    const { from } = this.#settings;
    const { settingsUrl, ...content } = letter;
    const end = new AbortController();
    // Servers that send something all the time never reach the limit for silence.
    const timer = setTimeout(() => end.abort(), SEND_MS);
    try {
      const { response } = await transporter.sendMail({
        from: { name, address: from },
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        ...content,
        messageId: `<${messageId}@${from.slice(from.lastIndexOf('@') + 1)}>`,
        headers: {
          'Content-Language': language,
          // Keeps vacation programs from answering.
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(settingsUrl === undefined ? {} : { 'List-Unsubscribe': `<${settingsUrl}>` }),
        },
        signal: signal === undefined ? end.signal : AbortSignal.any([end.signal, signal]),
      });
      return response;
    } catch (error) {
      if (end.signal.aborted) throw new MailFault(TOO_SLOW, 'server-unusable');
      throw toMailFault(error, this.#settings.login?.password);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connections. Mails that are being sent fail. */
  async close(): Promise<void> {
    (await this.#transporter)?.close();
  }

  async #connect() {
    // Loaded only when it is needed, because most of its library is for features that are not used.
    const { connect } = await import('./connect.ts');
    return connect(this.#settings, { maxConnections: PARALLEL_MAILS, stepMs: SEND_MS });
  }
}
