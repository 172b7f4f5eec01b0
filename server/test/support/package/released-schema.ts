import { type Migration, toStatement } from '../../../src/database/migration.ts';
import { openPostgres } from '../../../src/database/postgres/postgres.ts';

/** The statements of the migrations on PostgreSQL, which the fixture of a release begins with. */
export function toPostgresSchema(migrations: readonly Migration[]): string {
  // Opens no connection, because there is no query.
  const { columnTypes } = openPostgres('postgres://127.0.0.1:1/none', () => {});
  const statements = migrations.flatMap((migration) =>
    'indexes' in migration
      ? migration.indexes('postgres').map((index) => toStatement(index))
      : migration.statements(columnTypes, 'postgres'),
  );
  const steps = `create table schema_step (name ${columnTypes.text} primary key)`;
  return [steps, ...statements].map((statement) => `${statement};\n`).join('');
}
