import { Type } from 'typebox';
import { Id, Nullable } from '../http/fields.ts';

/** The member of a link's record that says who created it. */
export const CreatedBy = Type.Optional(
  Nullable(
    Type.Object(
      { accountId: Id, displayName: Type.String() },
      { description: 'only in a shared drive; null if the account is gone' },
    ),
  ),
);
