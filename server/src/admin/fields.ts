import { Type } from 'typebox';
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
