import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * Whether a text, named as a column or made of some, has another in it, taken as it is: `%` and `_` are no wildcards. Both are to be folded already; SQLite
 * does not tell the capitals of ASCII from its small letters here.
 */
export function containsText(text: string | Expression<unknown>, folded: string): RawBuilder<boolean> {
  const column = typeof text === 'string' ? sql.ref(text) : text;
  return sql<boolean>`${column} like ${`%${escapeWildcards(folded)}%`} escape '!'`;
}

function escapeWildcards(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}
