import { type Instant, parseTimestamp } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { toPageRequest } from '../../base/page.ts';
import { ROOT_PATH, toLogicalPath } from '../../base/text/names/logical-path.ts';
import type { Drives } from '../../drives/drives.ts';
import { callerOf } from '../../http/caller.ts';
import { choosesAllDrives, driveIdOf } from '../../http/chosen-drive.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Drive } from '../drive.ts';
import { type SearchQuery, searchEntries } from './contract.ts';
import type { SearchConditions } from './search.ts';

const IS_DIRECTORY = { file: false, directory: true, folder: true, all: undefined } as const;

export function searchRoutes(
  server: Server,
  { search, records }: Pick<Drive, 'search' | 'records'>,
  drives: Drives,
): void {
  mount(server, searchEntries, async (request, reply) => {
    const { query } = request;
    const [conditions, wanted] = [toConditions(query), toPageRequest(query)];
    const isInAll = choosesAllDrives(request);
    if (isInAll && conditions.paths.some((path) => path !== ROOT_PATH)) {
      throw new Failure('invalid', 'A search in all drives takes no directory.');
    }
    const driveIds = isInAll ? await drives.listIdsOf(callerOf(request)) : [driveIdOf(request)];
    const page = await search.find(driveIds, conditions, wanted, clientSignalOf(reply));
    return records.toPage(callerOf(request), page);
  });
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
