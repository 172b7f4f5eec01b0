import type { OnQuery } from '../../../src/database/database.ts';

/** Independent of requests, an instance reads all policies every two seconds and writes counts every five. */
const BACKGROUND =
  /^select \* from "storage_policy" order by|insert into (request_count|active_day|last_activity)/;

/**
 * For tests that count the statements of requests: skips those that an instance repeats in the background.
 */
export function onQueryOfRequest(act: (sql: string) => void): OnQuery {
  return ({ sql }) => {
    if (!BACKGROUND.test(sql)) act(sql);
  };
}
