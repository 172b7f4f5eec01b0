import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import {
  getFilesystem,
  getMaintenance,
  getSettings,
  getSummary,
  listAudits,
  rotateInviteCode,
  setAccountDefaults,
  setInviteCode,
  setOfflineLimit,
} from './contract.ts';
import type { Overview } from './overview.ts';
import type { ServiceSettings } from './service-settings.ts';

/** Overview of the service, its settings, and the audit log. */
export function adminOverviewRoutes(server: Server, overview: Overview, settings: ServiceSettings): void {
  mount(server, getSummary, async () => overview.summarize());

  mount(server, getSettings, async () => overview.describeSettings());

  mount(server, getFilesystem, async () => overview.describeFilesystem());

  mount(server, getMaintenance, async () => overview.describeMaintenance());

  mount(server, setInviteCode, async (request) => ({
    inviteCode: await settings.setInviteCode(callerOf(request), request.body.inviteCode),
  }));

  mount(server, rotateInviteCode, async (request) => ({
    inviteCode: await settings.rotateInviteCode(callerOf(request)),
  }));

  mount(server, setAccountDefaults, async (request) =>
    settings.setAccountDefaults(callerOf(request), request.body),
  );

  mount(server, setOfflineLimit, async (request) => {
    const { offlineTransferStorageLimitBytes: bytes } = request.body;
    return { offlineTransferStorageLimitBytes: await settings.setOfflineLimit(callerOf(request), bytes) };
  });

  mount(server, listAudits, async ({ query }) => {
    const { actionType, targetType, targetId } = query;
    const filter = {
      actorQuery: toTextFilter(query.actorQuery),
      actionType,
      targetType: toExact(targetType),
      targetId: toExact(targetId),
    };
    return overview.listAudits(filter, toPageRequest(query));
  });
}

/** Matched exactly; blank means no filter. */
function toExact(text: string | undefined): string | undefined {
  return toTextFilter(text) === undefined ? undefined : text;
}
