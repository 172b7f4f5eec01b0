import { type Static, Type } from 'typebox';
import { FILE_KINDS } from '../../base/domain/file-kinds.ts';
import { MAX_PAGE_SIZE } from '../../base/page.ts';
import { MAX_SNIPPET_LENGTH } from '../../content-search/content-search.ts';
import { ByteCount, Nullable, PageOf, PathText, pageQuery, TimestampText } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { EntryRecord, SORT_KEYS } from '../contract.ts';
import { MAX_TEXT_PAGE_SIZE } from './text-search.ts';
import { MAX_QUERY_LENGTH, MAX_WORDS } from './words.ts';

/** Pages of matches in texts are smaller than others. */
const textPageSize = {
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `larger values are reduced to ${MAX_PAGE_SIZE}, and to ${MAX_TEXT_PAGE_SIZE} in texts`,
    }),
  ),
};

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
      description:
        `up to ${MAX_WORDS} words, each anywhere in the name; case and accents are ignored. In texts, ` +
        'whole words are found, and Chinese, Japanese and Korean text by its characters',
    }),
  ),
  in: Type.Optional(
    Type.Enum(['name', 'content', 'all'], {
      description:
        'where `q` is searched: in names (the default), in the texts of files, or each word in either; ' +
        '`all` is `name` while the service does not search texts',
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
  ...textPageSize,
  sort: Type.Optional(
    Type.Enum([...SORT_KEYS], {
      description: 'like `order`, only in texts, where the most relevant come first without both',
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
});
export type SearchQuery = Static<typeof SearchQuery>;

/** An entry that a search found. */
export const FoundRecord = Type.Object({
  ...EntryRecord.properties,
  snippet: Type.Optional(
    Nullable(
      Type.String({
        description:
          `only in texts: the passage with the words, each between U+E000 and U+E001; at most ` +
          `${MAX_SNIPPET_LENGTH} characters without them; null if only the name has the words`,
      }),
    ),
  ),
});
export type FoundRecord = Static<typeof FoundRecord>;

export const searchEntries = operation('GET /api/v2/files/search', {
  does: 'Finds files and directories by name, text, kind, size, time and place.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  takesAllDrives: true,
  query: SearchQuery,
  data: PageOf(FoundRecord),
  example: { query: { q: 'file', size: 20 } },
});
