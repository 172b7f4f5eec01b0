import { Type } from 'typebox';
import { Id, Nullable } from '../http/fields.ts';
import { MAX_FILTER_LENGTH } from './lists/text-filter.ts';

export const Text = Type.String();
export const Count = Type.Integer({ minimum: 0 });
export const Bytes = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const EntryLimit = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Filter = Type.Optional(
  Type.String({
    maxLength: MAX_FILTER_LENGTH,
    description: 'matches a part of the text, without regard to case',
  }),
);

/** The drive of a listed thing, and the account that owns a personal drive. */
export const owningDrive = {
  driveId: Id,
  driveName: Nullable(Type.String({ description: 'null for a personal drive' })),
  ownerId: Nullable(Type.Integer({ ...Id, description: 'null for a shared drive' })),
  ownerUsername: Nullable(Type.String({ description: 'null for a shared drive' })),
  ownerEmail: Nullable(Text),
};
