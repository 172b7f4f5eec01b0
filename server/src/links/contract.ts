import { Type } from 'typebox';
import { AccountOrNull } from '../http/fields.ts';

/** The member of a link's record that says who created it. */
export const CreatedBy = Type.Optional(AccountOrNull('only in a shared drive; null if the account is gone'));
