import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { AccountOrNull, Id, Nullable, RoleInDrive, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { MAX_MEMBERS } from '../bounds.ts';
import { MAX_FOUND_PEOPLE, MAX_QUERY_LENGTH } from './people.ts';

const MemberRecord = Type.Object({
  accountId: Id,
  username: Type.String(),
  displayName: Type.String(),
  role: RoleInDrive,
  since: Timestamp,
  addedBy: AccountOrNull('null for the creator of the drive, and if that account is gone'),
});
export type MemberRecord = Static<typeof MemberRecord>;

const PersonRecord = Type.Object({ accountId: Id, username: Type.String(), displayName: Type.String() });

const DrivePath = Type.Object({ id: Id });
const MemberPath = Type.Object({ id: Id, accountId: Id });

const AddMemberBody = Type.Object({
  username: Type.Optional(Nullable(Type.String({ maxLength: 256 }))),
  email: Type.Optional(Nullable(Type.String({ maxLength: 1_024, description: 'instead of the username' }))),
  role: RoleInDrive,
});

export const listMembers = operation('GET /api/v2/drives/{id}/members', {
  does: 'Lists the members of a shared drive, those of longest standing first.',
  access: 'login',
  appPassword: 'read',
  path: DrivePath,
  data: Type.Array(MemberRecord, { maxItems: MAX_MEMBERS }),
  example: { path: { id: EXAMPLE.drive } },
});

export const addMember = operation('POST /api/v2/drives/{id}/members', {
  does: 'Adds an account to a shared drive.',
  access: 'login',
  appPassword: 'never',
  path: DrivePath,
  body: AddMemberBody,
  data: MemberRecord,
  example: {
    path: { id: EXAMPLE.drive },
    body: { username: EXAMPLE.otherUsername, role: 'EDITOR' },
  },
});

export const changeMember = operation('PATCH /api/v2/drives/{id}/members/{accountId}', {
  does: 'Changes the role of a member.',
  access: 'login',
  appPassword: 'never',
  path: MemberPath,
  body: Type.Object({ role: RoleInDrive }),
  data: MemberRecord,
  example: { path: { id: EXAMPLE.drive, accountId: EXAMPLE.member }, body: { role: 'VIEWER' } },
});

export const removeMember = operation('DELETE /api/v2/drives/{id}/members/{accountId}', {
  does: 'Removes a member, or leaves the drive.',
  access: 'login',
  appPassword: 'never',
  path: MemberPath,
  example: { path: { id: EXAMPLE.drive, accountId: EXAMPLE.member } },
});

export const findPeople = operation('GET /api/v2/people', {
  does: 'Finds accounts that could become members of a drive.',
  access: 'login',
  appPassword: 'never',
  query: Type.Object({
    query: Type.Optional(
      Type.String({
        maxLength: MAX_QUERY_LENGTH,
        description: 'a username or e-mail address, or the beginning of the name of someone known',
      }),
    ),
  }),
  data: Type.Array(PersonRecord, { maxItems: MAX_FOUND_PEOPLE }),
  example: { query: { query: EXAMPLE.username } },
});
