import { type Static, Type } from 'typebox';
import { EmailText } from '../../accounts/contract.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { Id, Nullable, PageOf, pageQuery, Timestamp, TimestampText } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { Count, Text } from '../fields.ts';

export const InviteBody = Type.Object({
  note: Type.Optional(Nullable(Type.String({ maxLength: 1_600 }))),
  expiresAt: Type.Optional(Nullable(TimestampText)),
  uses: Type.Integer({ minimum: 1, maximum: 1_000 }),
  email: Type.Optional(
    Nullable(Type.String({ ...EmailText, description: 'the address that the invitation is mailed to' })),
  ),
});
export type InviteBody = Static<typeof InviteBody>;

export const AdminInvite = Type.Object({
  id: Id,
  code: Text,
  note: Nullable(Text),
  uses: Count,
  usedCount: Count,
  state: Type.Enum(['ACTIVE', 'EXPIRED', 'USED_UP']),
  expiresAt: Nullable(Timestamp),
  createdAt: Timestamp,
});
export type AdminInvite = Static<typeof AdminInvite>;

export const listInvites = operation('GET /api/admin/invites', {
  does: 'Lists the invites, the newest first.',
  access: 'admin',
  appPassword: 'never',
  query: Type.Object(pageQuery),
  data: PageOf(AdminInvite),
  example: { query: { page: 0, size: 20 } },
});

export const createInvite = operation('POST /api/admin/invites', {
  does: 'Creates an invite.',
  access: 'admin',
  appPassword: 'never',
  body: InviteBody,
  data: AdminInvite,
  example: { body: { uses: 3, note: 'for the team' } },
});

export const deleteInvite = operation('DELETE /api/admin/invites/{id}', {
  does: 'Deletes an invite.',
  access: 'admin',
  appPassword: 'never',
  path: Type.Object({ id: Id }),
  example: { path: { id: EXAMPLE.invite } },
});
