import type { AdminTask } from '../../../../../client/src/client.ts';

interface MigrationProgress {
  readonly sourcePolicyId: number;
  readonly targetPolicyId: number;
  readonly objects: number;
  readonly totalObjects: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly percent: number;
}

/** The progress of a migration. All numbers are 0 until it has counted the objects. */
export function readProgress({
  publicStateJson: state,
}: Pick<AdminTask, 'publicStateJson'>): MigrationProgress {
  const numberOf = (name: string) => {
    const value = state[name];
    return typeof value === 'number' ? value : 0;
  };
  return {
    sourcePolicyId: numberOf('sourcePolicyId'),
    targetPolicyId: numberOf('targetPolicyId'),
    objects: numberOf('processedObjectCount'),
    totalObjects: numberOf('totalObjectCount'),
    bytes: numberOf('processedBytes'),
    totalBytes: numberOf('totalBytes'),
    percent: numberOf('progressPercent'),
  };
}
