import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { Id, Nullable, PageOf, pageQuery } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { CorrelationId, TaskRecord } from '../../tasks/contract.ts';
import { Count, Filter, owningDrive, Text } from '../fields.ts';

const LeaseState = Type.Enum(['NONE', 'ACTIVE', 'EXPIRED']);
export type LeaseState = Static<typeof LeaseState>;

const TasksQuery = Type.Object({
  ...pageQuery,
  userQuery: Filter,
  type: Type.Optional(Type.Enum(['ARCHIVE', 'EXTRACT', 'MEDIA_META', 'STORAGE_POLICY_MIGRATION'])),
  status: Type.Optional(Type.Enum(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'])),
  failureCategory: Type.Optional(
    Type.Enum(['TRANSIENT_INFRASTRUCTURE', 'RATE_LIMITED', 'UNKNOWN', 'UNSUPPORTED_INPUT', 'DATA_STATE']),
  ),
  leaseState: Type.Optional(LeaseState),
});

export const AdminTask = Type.Object({
  ...TaskRecord.properties,
  ...owningDrive,
  attemptCount: Count,
  maxAttempts: Count,
  retryScheduled: Type.Boolean(),
  workerOwner: Nullable(Text),
  leaseState: LeaseState,
});
export type AdminTask = Static<typeof AdminTask>;

export const MigrationBody = Type.Object({
  sourcePolicyId: Id,
  targetPolicyId: Id,
  correlationId: CorrelationId,
});
export type MigrationBody = Static<typeof MigrationBody>;

export const listTasks = operation('GET /api/admin/tasks', {
  does: 'Lists the background tasks of all drives, the newest first.',
  access: 'admin',
  appPassword: 'never',
  query: TasksQuery,
  data: PageOf(AdminTask),
  example: { query: { status: 'FAILED', page: 0, size: 20 } },
});

export const getTask = operation('GET /api/admin/tasks/{taskId}', {
  does: 'Shows a background task of any drive.',
  access: 'admin',
  appPassword: 'never',
  path: Type.Object({ taskId: Id }),
  data: AdminTask,
  example: { path: { taskId: EXAMPLE.task } },
});

export const migratePolicy = operation('POST /api/admin/storage-policies/migrations', {
  does: 'Starts a task that moves all objects of a storage policy to another one.',
  access: 'admin',
  appPassword: 'never',
  body: MigrationBody,
  data: TaskRecord,
  example: { body: { sourcePolicyId: EXAMPLE.policy, targetPolicyId: EXAMPLE.otherPolicy } },
});
