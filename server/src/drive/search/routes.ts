import { type Static, Type } from 'typebox';
import { type Instant, parseTimestamp } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { toPageRequest } from '../../base/page.ts';
import { toLogicalPath } from '../../base/text/logical-path.ts';
import { callerOf } from '../../http/caller.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { ByteCount, mapPage, PageOf, PathText, pageQuery, TimestampText } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { EntryRecord } from '../contract.ts';
import { toRecord } from '../entries/entry.ts';
import type { Search, SearchConditions } from './search.ts';

const Moment = Type.Optional(TimestampText);
const Bytes = Type.Optional(ByteCount);

const SearchQuery = Type.Object({
  name: Type.Optional(
    Type.String({ maxLength: 1_024, description: 'part of the name; upper and lower case are equal' }),
  ),
  type: Type.Optional(Type.Enum(['file', 'directory', 'folder', 'all'])),
  sizeGte: Bytes,
  sizeLte: Bytes,
  createdGte: Moment,
  createdLte: Moment,
  updatedGte: Moment,
  updatedLte: Moment,
  path: Type.Optional(Type.String({ ...PathText, description: 'a directory; finds only what is below it' })),
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
    isDirectory: IS_DIRECTORY[query.type ?? 'all'],
    size: { from: query.sizeGte, to: query.sizeLte },
    created: { from: toInstant(query, 'createdGte'), to: toInstant(query, 'createdLte') },
    updated: { from: toInstant(query, 'updatedGte'), to: toInstant(query, 'updatedLte') },
    path: query.path === undefined ? undefined : toLogicalPath(query.path),
  };
}

function toInstant(
  query: SearchQuery,
  member: 'createdGte' | 'createdLte' | 'updatedGte' | 'updatedLte',
): Instant | undefined {
  const text = query[member];
  if (text === undefined) return undefined;
  const instant = parseTimestamp(text);
  if (instant === undefined) throw new Failure('invalid', `${member} must be an ISO-8601 date and time.`);
  return instant;
}
