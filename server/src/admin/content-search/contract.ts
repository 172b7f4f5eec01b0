import { type Static, Type } from 'typebox';
import { ByteCount, Nullable, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';

const Files = (description: string) => Type.Integer({ minimum: 0, description });

export const ContentSearchOverview = Type.Object({
  isOn: Type.Boolean(),
  isPaused: Type.Boolean({ description: 'whether no texts are taken because the disk is nearly full' }),
  waiting: Files('stored files whose text is being taken, or will be'),
  indexed: Files('stored files whose text can be found, also while it is taken again'),
  withoutText: Files('stored files without a text, such as pictures and encrypted documents'),
  givenUp: Files('stored files whose text could not be taken, after several attempts; an older text stays'),
  textBytes: ByteCount,
  lastError: Nullable(Type.String({ description: 'why an attempt failed last; null when nothing waits' })),
  lastErrorAt: Nullable(Timestamp),
});
export type ContentSearchOverview = Static<typeof ContentSearchOverview>;

export const getContentSearch = operation('GET /api/admin/content-search', {
  does: 'Shows how many files the search in content knows, and how many wait.',
  access: 'admin',
  appPassword: 'never',
  data: ContentSearchOverview,
  example: {},
});
