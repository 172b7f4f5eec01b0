import { type Static, Type } from 'typebox';
import { type Instant, parseTimestamp } from '../../base/clock.ts';
import { FILE_KINDS } from '../../base/domain/file-kinds.ts';
import { Failure } from '../../base/failure.ts';
import { toPageRequest } from '../../base/page.ts';
import { toLogicalPath } from '../../base/text/names/logical-path.ts';
import { callerOf } from '../../http/caller.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { ByteCount, mapPage, PageOf, PathText, pageQuery, TimestampText } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { EntryRecord } from '../contract.ts';
import { toRecord } from '../entries/entry.ts';
import type { Search, SearchConditions } from './search.ts';
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
  ...pageQuery,
});
type SearchQuery = Static<typeof SearchQuery>;

const IS_DIRECTORY = { file: false, directory: true, folder: true, all: undefined } as const;

export function searchRoutes(server: Server, search: Search): void {
  server.get(
    '/api/v2/files/search',
    {
      config: { access: 'login', appPassword: 'read' },
      schema: { querystring: SearchQuery, response: enveloped(PageOf(EntryRecord)) },
    },
    async (request, reply) => {
      const { query } = request;
      const { accountId } = callerOf(request);
      const [conditions, wanted] = [toConditions(query), toPageRequest(query)];
      const page = await search.find(accountId, conditions, wanted, clientSignalOf(reply));
      return success(mapPage(page, toRecord));
    },
  );
}

/** @throws Failure `invalid` */
function toConditions(query: SearchQuery): SearchConditions {
  return {
    name: query.name,
    words: query.q,
    isDirectory: IS_DIRECTORY[query.type ?? 'all'],
    kind: query.kind,
    size: {
      from: highest(query.sizeGte, query.minSize),
      to: lowest(query.sizeLte, query.maxSize),
    },
    created: { from: toInstant(query, 'createdGte'), to: toInstant(query, 'createdLte') },
    updated: { from: toInstant(query, 'updatedGte'), to: toInstant(query, 'updatedLte') },
    modified: { from: toInstant(query, 'modifiedFrom'), to: toInstant(query, 'modifiedTo') },
    paths: [query.path, query.under].filter((path) => path !== undefined).map(toLogicalPath),
  };
}

function highest(...limits: readonly (number | undefined)[]): number | undefined {
  const given = limits.filter((limit) => limit !== undefined);
  return given.length === 0 ? undefined : Math.max(...given);
}

function lowest(...limits: readonly (number | undefined)[]): number | undefined {
  const given = limits.filter((limit) => limit !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
}

type MomentMember = `${'created' | 'updated'}${'Gte' | 'Lte'}` | `modified${'From' | 'To'}`;

function toInstant(query: SearchQuery, member: MomentMember): Instant | undefined {
  const text = query[member];
  if (text === undefined) return undefined;
  const instant = parseTimestamp(text);
  if (instant === undefined) throw new Failure('invalid', `${member} must be an ISO-8601 date and time.`);
  return instant;
}
