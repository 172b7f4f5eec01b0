import { type SelectModifierNode, SqliteQueryCompiler } from 'kysely';

/**
 * Writes parameters as `+?` instead of `?`, which means the same but keeps the prepared plan. When SQLite
 * plans a join it looks at the value of a bare `?`, and then discards the plan whenever a value is bound: a
 * prepared join is parsed and planned again on every run (measured with 3.54: 9 µs instead of 1 µs). It does
 * not look at an operand such as `+?`.
 *
 * SQLite therefore does not see the value when it picks a partial index: a query that should use one spells
 * the index's condition with literals.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }

  /** Leaves out row locks: a SQLite transaction has the only write lock anyway. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!/^(For|SkipLocked)/.test(node.modifier ?? '')) super.visitSelectModifier(node);
  }
}
