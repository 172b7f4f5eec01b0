import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { SMTPServer } from 'smtp-server';

import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.ts';
import { parseMessage, type ReceivedMessage } from './message.ts';

/** A mail as the server received it. */
export interface ReceivedMail extends ReceivedMessage {
  readonly from: string;
  readonly to: string;
  readonly isEncrypted: boolean;
  /** The user that had logged in. */
  readonly user: string | undefined;
}

/** The answer to a recipient or to a mail; undefined accepts it. */
type Answer = { readonly code: number; readonly text: string } | undefined;

interface TestSmtpOptions {
  /** `none`: without STARTTLS; `starttls`: offers it; `tls`: from the beginning. */
  readonly tls?: 'none' | 'starttls' | 'tls';
  readonly login?: { readonly user: string; readonly password: string };
}

/** A mail server that keeps what it receives. */
export class TestSmtpServer {
  /** All mails that it has accepted, in their order. */
  readonly mails: ReceivedMail[] = [];
  /** The passwords that clients have sent. */
  readonly passwords: string[] = [];
  /** Decides about a recipient. */
  answerRecipient: (address: string) => Answer = () => undefined;
  /** Decides about a mail after its content was received. It counts as accepted before this answer. */
  answerMail: (mail: ReceivedMail) => Promise<Answer> | Answer = () => undefined;
  connections = 0;
  readonly #server: SMTPServer;

  private constructor(server: SMTPServer) {
    this.#server = server;
  }

  static async start({ tls = 'none', login }: TestSmtpOptions = {}): Promise<TestSmtpServer> {
    const server = new SMTPServer({
      secure: tls === 'tls',
      ...(tls === 'none' ? {} : { key: TEST_KEY, cert: TEST_CERTIFICATE }),
      hideSTARTTLS: tls === 'none',
      allowInsecureAuth: true,
      authOptional: login === undefined,
      disabledCommands: login === undefined ? ['AUTH'] : [],
      disableReverseLookup: true,
      closeTimeout: 1,
      logger: false,
      onAuth: ({ username, password }, _session, done) => {
        smtp.passwords.push(password ?? '');
        const isRight = username === login?.user && password === login?.password;
        if (isRight) done(null, { user: username });
        else done(toError({ code: 535, text: `5.7.8 ${toPlain(username ?? '', password ?? '')} is wrong` }));
      },
      onConnect: (_session, done) => {
        smtp.connections += 1;
        done();
      },
      onRcptTo: ({ address }, _session, done) => done(toError(smtp.answerRecipient(address))),
      onData: (stream, session, done) => {
        const receive = async () => {
          const mail = {
            ...parseMessage(await text(stream)),
            from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
            to: session.envelope.rcptTo.map(({ address }) => address).join(' '),
            isEncrypted: session.secure,
            user: session.user,
          };
          const answer = await smtp.answerMail(mail);
          if (answer === undefined) smtp.mails.push(mail);
          return toError(answer);
        };
        receive().then(done, done);
      },
    });
    const smtp = new TestSmtpServer(server);
    // Clients that a test kills break their connections.
    server.on('error', () => {});
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    after(() => smtp.close());
    return smtp;
  }

  get port(): number {
    const address = this.#server.server.address();
    return address === null || typeof address === 'string' ? 0 : address.port;
  }

  /** The mails to an address, oldest first. */
  mailsTo(address: string): readonly ReceivedMail[] {
    return this.mails.filter(({ to }) => to === address);
  }

  /** Waits until an address has got this many mails. */
  async waitForMails(address: string, count: number): Promise<readonly ReceivedMail[]> {
    await waitUntil(`${address} has got ${count} mails`, () => this.mailsTo(address).length >= count);
    return this.mailsTo(address);
  }

  /** Closes all connections abruptly. */
  cutConnections(): void {
    for (const { _socket: socket } of this.#server.connections) socket.destroy();
  }

  async close(): Promise<void> {
    this.cutConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** What a client sends to log in (RFC 4616). */
function toPlain(user: string, password: string): string {
  return `AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString('base64')}`;
}

function toError(answer: Answer): Error | null {
  return answer === undefined ? null : Object.assign(new Error(answer.text), { responseCode: answer.code });
}
