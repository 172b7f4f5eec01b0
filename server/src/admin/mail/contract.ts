import { type Static, Type } from 'typebox';
import { Id, Nullable, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { MAX_SHOWN_FAILURES } from '../../mail/mail.ts';
import { Text } from '../fields.ts';

export const MailOverview = Type.Object({
  isOn: Type.Boolean(),
  from: Nullable(Type.String({ description: 'the address that mails come from; null if mail is off' })),
  waiting: Type.Integer({ minimum: 0, description: 'mails that will be sent, or tried again' }),
  oldestAt: Nullable(Type.String({ description: 'when the mail that has waited longest was queued' })),
  failed: Type.Array(
    Type.Object({
      id: Id,
      kind: Text,
      address: Text,
      at: Timestamp,
      error: Text,
    }),
    { maxItems: MAX_SHOWN_FAILURES, description: 'the mails that failed last for good, the newest first' },
  ),
  lastError: Nullable(
    Type.String({ description: 'why the last attempt failed, of all mails that were not sent' }),
  ),
  lastSentAt: Nullable(Timestamp),
});
export type MailOverview = Static<typeof MailOverview>;

export const getMail = operation('GET /api/admin/mail', {
  does: 'Shows whether mail is sent, what waits, and what failed.',
  access: 'admin',
  appPassword: 'never',
  data: MailOverview,
  example: {},
});

export const clearFailedMails = operation('DELETE /api/admin/mail/failed', {
  does: 'Clears the list of mails that failed.',
  access: 'admin',
  appPassword: 'never',
  example: {},
});
