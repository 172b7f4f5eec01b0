import { sql, type RawBuilder } from 'kysely';

/**
 * Whether a column has a text in it, taken as it is: `%` and `_` are no wildcards. Both are to be folded already; SQLite
 * does not tell the capitals of ASCII from its small letters here.
 */
export function isContained(column: string, folded: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} like ${`%${escapeWildcards(folded)}%`} escape '!'`;
}

function escapeWildcards(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}
