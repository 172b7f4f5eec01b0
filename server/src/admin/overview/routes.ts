import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { mapPage, PageOf } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { AdminAudit, AuditsQuery } from '../contract.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import {
  AccountDefaultsBody,
  AccountDefaultsRecord,
  Filesystem,
  InviteCode,
  Maintenance,
  OfflineLimit,
  SettingsSnapshot,
  Summary,
} from './contract.ts';
import type { Overview } from './overview.ts';
import type { ServiceSettings } from './service-settings.ts';

/** Overview of the service, its settings, and the audit log. */
export function adminOverviewRoutes(server: Server, overview: Overview, settings: ServiceSettings): void {
  const config = { access: 'admin', appPassword: 'never' } as const;

  server.get('/api/admin/summary', { config, schema: { response: enveloped(Summary) } }, async () =>
    success(await overview.summarize()),
  );

  server.get('/api/admin/settings', { config, schema: { response: enveloped(SettingsSnapshot) } }, async () =>
    success(await overview.describeSettings()),
  );

  server.get('/api/admin/filesystem', { config, schema: { response: enveloped(Filesystem) } }, async () =>
    success(await overview.describeFilesystem()),
  );

  server.get('/api/admin/maintenance', { config, schema: { response: enveloped(Maintenance) } }, async () =>
    success(await overview.describeMaintenance()),
  );

  server.patch(
    '/api/admin/settings/registration/invite-code',
    { config, schema: { body: InviteCode, response: enveloped(InviteCode) } },
    async (request) =>
      success({ inviteCode: await settings.setInviteCode(callerOf(request), request.body.inviteCode) }),
  );

  server.post(
    '/api/admin/settings/registration/invite-code/rotate',
    { config, schema: { response: enveloped(InviteCode) } },
    async (request) => success({ inviteCode: await settings.rotateInviteCode(callerOf(request)) }),
  );

  server.patch(
    '/api/admin/settings/registration/account-defaults',
    { config, schema: { body: AccountDefaultsBody, response: enveloped(AccountDefaultsRecord) } },
    async (request) => success(await settings.setAccountDefaults(callerOf(request), request.body)),
  );

  server.patch(
    '/api/admin/settings/offline-transfer-storage-limit',
    { config, schema: { body: OfflineLimit, response: enveloped(OfflineLimit) } },
    async (request) => {
      const { offlineTransferStorageLimitBytes: bytes } = request.body;
      const offlineTransferStorageLimitBytes = await settings.setOfflineLimit(callerOf(request), bytes);
      return success({ offlineTransferStorageLimitBytes });
    },
  );

  server.get(
    '/api/admin/audits',
    { config, schema: { querystring: AuditsQuery, response: enveloped(PageOf(AdminAudit)) } },
    async ({ query }) => {
      const { actionType, targetType, targetId } = query;
      const filter = {
        actorQuery: toTextFilter(query.actorQuery),
        actionType,
        targetType: toExact(targetType),
        targetId: toExact(targetId),
      };
      return success(mapPage(await overview.listAudits(filter, toPageRequest(query)), (audit) => audit));
    },
  );
}

/** Matched exactly; blank means no filter. */
function toExact(text: string | undefined): string | undefined {
  return toTextFilter(text) === undefined ? undefined : text;
}
