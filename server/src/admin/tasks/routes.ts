import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { mapPage, PageOf } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { TaskRecord, toCorrelationId } from '../../tasks/contract.ts';
import { toTaskRecord } from '../../tasks/tasks.ts';
import { AdminTask, AdminTaskParams, MigrationBody, TasksQuery } from '../contract.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import type { AdminTasks } from './tasks.ts';

const BASE = '/api/admin/tasks';

/** The background tasks of all accounts, and the creation of policy migrations. */
export function adminTaskRoutes(server: Server, tasks: AdminTasks): void {
  const config = { access: 'admin', appPassword: 'never' } as const;

  server.get(
    BASE,
    { config, schema: { querystring: TasksQuery, response: enveloped(PageOf(AdminTask)) } },
    async ({ query }) => {
      const { type, status, failureCategory, leaseState } = query;
      const filter = { userQuery: toTextFilter(query.userQuery), type, status, failureCategory, leaseState };
      return success(mapPage(await tasks.list(filter, toPageRequest(query)), (task) => task));
    },
  );

  server.get(
    `${BASE}/:taskId`,
    { config, schema: { params: AdminTaskParams, response: enveloped(AdminTask) } },
    async (request) => success(await tasks.get(request.params.taskId)),
  );

  server.post(
    '/api/admin/storage-policies/migrations',
    { config, schema: { body: MigrationBody, response: enveloped(TaskRecord) } },
    async (request) => {
      const { sourcePolicyId, targetPolicyId, correlationId } = request.body;
      const migration = {
        sourcePolicyId,
        targetPolicyId,
        correlationId: toCorrelationId(correlationId),
      };
      return success(toTaskRecord(await tasks.migrate(callerOf(request), migration)));
    },
  );
}
