// The engines of a run of the tests, started side by side as far as its parts need them.
import { type Postgres, startPostgres } from './postgres.ts';
import { type S3, startS3 } from './s3.ts';
import type { TestPart } from './test-plan.ts';

export interface TestEngines {
  readonly postgres: Postgres | undefined;
  readonly s3: S3 | undefined;
  /** A sentence for the person where a part needs S3 and there is none. */
  readonly missingS3: string | undefined;
}

/** @throws Error where PostgreSQL does not start; nothing runs then */
export async function startEngines(parts: readonly TestPart[]): Promise<TestEngines> {
  const [postgres, s3] = await Promise.allSettled([
    parts.some(({ database }) => database === 'postgres') ? startPostgres({ fsync: false }) : undefined,
    parts.some(({ onS3 }) => onS3) ? startS3() : undefined,
  ]);
  if (postgres.status === 'rejected') {
    if (s3.status === 'fulfilled') await s3.value?.stop();
    throw postgres.reason;
  }
  return s3.status === 'fulfilled'
    ? { postgres: postgres.value, s3: s3.value, missingS3: undefined }
    : { postgres: postgres.value, s3: undefined, missingS3: describe(s3.reason) };
}

export async function stopEngines({ postgres, s3 }: TestEngines): Promise<void> {
  await Promise.allSettled([postgres?.stop(), s3?.stop()]);
}

/** How the files of a part find their engines; undefined takes a variable away. */
export function environmentOf(
  { database, onS3 }: TestPart,
  { postgres, s3 }: TestEngines,
): Readonly<Record<'HOLDALL_TEST_DATABASE' | 'HOLDALL_TEST_S3', string | undefined>> {
  return {
    HOLDALL_TEST_DATABASE: database === 'postgres' ? postgres?.url : database,
    HOLDALL_TEST_S3: onS3 && s3 !== undefined ? JSON.stringify(s3.settings) : undefined,
  };
}

function describe(reason: unknown): string {
  const why = reason instanceof Error ? reason.message : String(reason);
  return (
    `There is no S3 store to test with. ${why}\n` +
    'Local disk takes its place; "npm test -- --engine sqlite" or "--engine postgres" does without S3.'
  );
}
