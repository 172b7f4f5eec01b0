import {
  CannotOpen,
  findSecret,
  Holdall,
  isWholeCode,
  lacksEncryption,
  type OpenedTransfer,
  readTypedCode,
} from '../../../client/src/client.ts';
import { type DriveContext, UsageError } from '../drive-command.ts';

/** A transfer that can be received. */
export interface Offer {
  readonly holdall: Holdall;
  readonly opened: OpenedTransfer;
}

/**
 * Finds the transfer that a user has named by code, `CODE#SECRET` or link, and decrypts its file names.
 * @throws UsageError; NotLoggedIn for a code without a link; HoldallError; Error with a sentence for the user
 */
export async function findOffer(codeOrLink: string, context: DriveContext): Promise<Offer> {
  const typed = readTypedCode(codeOrLink);
  if (!isWholeCode(typed)) throw new UsageError('Give the code of six characters, or the link.');
  const holdall = await openService(codeOrLink, context);
  const session = await holdall.transfers.find(typed.code, { signal: context.signal });
  const given = typed.rest || context.env.HOLDALL_TRANSFER_SECRET || '';
  if (lacksEncryption(session, given)) {
    throw new Error('You gave a secret, but the transfer is not encrypted. Nothing was received.');
  }
  if (!session.encrypted) return { holdall, opened: await holdall.transfers.decrypt(session) };
  const secret = findSecret(given || (await context.terminal.ask('Secret: ', { isSecret: true })));
  if (secret === undefined)
    throw new Error('A secret has 16 letters and digits, and no U. Nothing was received.');
  try {
    return { holdall, opened: await holdall.transfers.decrypt(session, secret) };
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    throw new Error('The secret does not belong to this transfer. Nothing was received.', { cause: error });
  }
}

/**
 * Opens the service: for a link, the one in the link, which needs no login; for a code, that of the login.
 */
async function openService(codeOrLink: string, context: DriveContext): Promise<Holdall> {
  const [link] = /^https?:\/\/.+?(?=\/(?:t|transfer)\/)/i.exec(codeOrLink) ?? [];
  if (link === undefined) return await context.open();
  const login = await context.login.read();
  // The app password is sent only to its own service.
  if (login !== undefined && new URL(login.url).href === new URL(link).href) return await context.open();
  return new Holdall({ url: link, clientId: 'holdall' });
}
