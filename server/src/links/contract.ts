import { Type } from 'typebox';
import { AccountOrNull, KeyText } from '../http/fields.ts';

/** The member of a link's record that says who created it. */
export const CreatedBy = Type.Optional(AccountOrNull('only in a shared drive; null if the account is gone'));

/** The member of a link's public view with the picture of its owner. */
export const OwnerAvatarUrl = Type.Optional(
  Type.String({
    description: 'of the profile picture; absent without one, and until the password was entered',
  }),
);

/** `v` gives each new picture its own URL, which may be cached for ever. */
export const OwnerAvatarQuery = Type.Object({ v: Type.Optional(KeyText) });
