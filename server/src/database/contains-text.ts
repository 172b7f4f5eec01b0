import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * The condition that a column or expression contains the text. `%` and `_` are ordinary characters, not
 * wildcards. Fold both sides first: this comparison ignores the case of ASCII letters on SQLite, but not on
 * PostgreSQL.
 */
export function containsText(column: string | Expression<unknown>, foldedText: string): RawBuilder<boolean> {
  const expression = typeof column === 'string' ? sql.ref(column) : column;
  return sql<boolean>`${expression} like ${`%${escapeWildcards(foldedText)}%`} escape '!'`;
}

/** The condition that a column begins with the text, under the same rules. */
export function beginsWith(column: string, foldedText: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} like ${`${escapeWildcards(foldedText)}%`} escape '!'`;
}

function escapeWildcards(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}
