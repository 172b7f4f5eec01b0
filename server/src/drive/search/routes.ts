import { type Instant, parseTimestamp } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { toPageRequest } from '../../base/page.ts';
import { ROOT_PATH, toLogicalPath } from '../../base/text/names/logical-path.ts';
import type { Drives } from '../../drives/drives.ts';
import { callerOf } from '../../http/caller.ts';
import { choosesAllDrives, driveIdOf } from '../../http/chosen-drive.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { mapPage } from '../../http/fields.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Drive } from '../drive.ts';
import type { EntryOrder } from '../entries/entry-order-queries.ts';
import { type SearchQuery, searchEntries } from './contract.ts';
import type { SearchConditions } from './search.ts';

const IS_DIRECTORY = { file: false, directory: true, folder: true, all: undefined } as const;

interface SearchParts {
  readonly drive: Pick<Drive, 'search' | 'textSearch' | 'records'>;
  readonly drives: Drives;
  /** Whether texts of files are searched. */
  readonly findsContent: boolean;
}

export function searchRoutes(server: Server, { drive, drives, findsContent }: SearchParts): void {
  const { search, textSearch, records } = drive;
  mount(server, searchEntries, async (request, reply) => {
    const { query } = request;
    const [conditions, wanted] = [toConditions(query), toPageRequest(query)];
    const isInAll = choosesAllDrives(request);
    if (isInAll && conditions.paths.some((path) => path !== ROOT_PATH)) {
      throw new Failure('invalid', 'A search in all drives takes no directory.');
    }
    const driveIds = isInAll ? await drives.listIdsOf(callerOf(request)) : [driveIdOf(request)];
    const signal = clientSignalOf(reply);
    if (!searchesTexts(query, findsContent)) {
      const page = await search.find(driveIds, conditions, wanted, signal);
      const found = await records.toPage(callerOf(request), page);
      return query.in === 'all' ? mapPage(found, (record) => ({ ...record, snippet: null })) : found;
    }
    const includesNames = query.in === 'all';
    const textRequest = { driveIds, conditions, includesNames, order: toOrder(query) };
    const { snippets, ...page } = await textSearch.find(textRequest, wanted, signal);
    return mapPage(await records.toPage(callerOf(request), page), (record) => ({
      ...record,
      snippet: snippets.get(record.id) ?? null,
    }));
  });
}

/** @throws Failure `invalid` for a search in texts that is not possible */
function searchesTexts(query: SearchQuery, findsContent: boolean): boolean {
  const hasWords = /\S/.test(query.q ?? '');
  if (query.in === 'content') {
    if (!findsContent) throw new Failure('invalid', 'This service does not search in the content of files.');
    if (!hasWords) throw new Failure('invalid', 'A search in the content of files needs words in q.');
  }
  return query.in === 'content' || (query.in === 'all' && findsContent && hasWords);
}

function toOrder({ sort, order }: SearchQuery): EntryOrder | undefined {
  return sort === undefined && order === undefined ? undefined : { sort, direction: order ?? 'asc' };
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
