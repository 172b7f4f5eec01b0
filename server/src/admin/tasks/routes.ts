import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { toCorrelationId } from '../../tasks/contract.ts';
import { toTaskRecord } from '../../tasks/tasks.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import { getTask, listTasks, migratePolicy } from './contract.ts';
import type { AdminTasks } from './tasks.ts';

/** The background tasks of all drives, and the creation of policy migrations. */
export function adminTaskRoutes(server: Server, tasks: AdminTasks): void {
  mount(server, listTasks, async ({ query }) => {
    const { type, status, failureCategory, leaseState } = query;
    const filter = { userQuery: toTextFilter(query.userQuery), type, status, failureCategory, leaseState };
    return tasks.list(filter, toPageRequest(query));
  });

  mount(server, getTask, async (request) => tasks.get(request.params.taskId));

  mount(server, migratePolicy, async (request) => {
    const { sourcePolicyId, targetPolicyId, correlationId } = request.body;
    const migration = { sourcePolicyId, targetPolicyId, correlationId: toCorrelationId(correlationId) };
    return toTaskRecord(await tasks.migrate(callerOf(request), migration));
  });
}
