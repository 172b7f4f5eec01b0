import { type Static, Type } from 'typebox';
import { FILE_KINDS } from '../../base/domain/file-kinds.ts';
import { ByteCount, PageOf, PathText, pageQuery, TimestampText } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { EntryRecord } from '../contract.ts';
import { MAX_QUERY_LENGTH, MAX_WORDS } from './words.ts';

const Moment = Type.Optional(TimestampText);
const Bytes = Type.Optional(ByteCount);
const Directory = Type.Optional(
  Type.String({ ...PathText, description: 'a directory; finds only what is below it' }),
);

const SearchQuery = Type.Object({
  name: Type.Optional(
    Type.String({ maxLength: 1_024, description: 'part of the name; upper and lower case are equal' }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: MAX_QUERY_LENGTH,
      description: `up to ${MAX_WORDS} words, each anywhere in the name; case and accents are ignored`,
    }),
  ),
  type: Type.Optional(Type.Enum(['file', 'directory', 'folder', 'all'])),
  kind: Type.Optional(Type.Enum([...FILE_KINDS], { description: 'finds only files, by their content type' })),
  sizeGte: Bytes,
  sizeLte: Bytes,
  createdGte: Moment,
  createdLte: Moment,
  updatedGte: Moment,
  updatedLte: Moment,
  path: Directory,
  modifiedFrom: Moment,
  modifiedTo: Moment,
  minSize: Bytes,
  maxSize: Bytes,
  under: Directory,
  drive: Type.Optional(
    Type.String({ maxLength: 16, description: 'the id of a drive, or `all` drives of the caller' }),
  ),
  ...pageQuery,
});
export type SearchQuery = Static<typeof SearchQuery>;

export const searchEntries = operation('GET /api/v2/files/search', {
  does: 'Finds files and directories by name, kind, size, time and place.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  takesAllDrives: true,
  query: SearchQuery,
  data: PageOf(EntryRecord),
  example: { query: { q: 'file', size: 20 } },
});
