import type { Accounts } from '../accounts/accounts.ts';
import type { Activity } from '../activity/activity.ts';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../base/clock.ts';
import type { BlobTotal, StoreOwnership } from '../blobs/blobs.ts';
import type { Config } from '../config/config.ts';
import type { ContentSearch } from '../content-search/content-search.ts';
import type { Database } from '../database/database.ts';
import type { Drive } from '../drive/drive.ts';
import type { Drives } from '../drives/drives.ts';
import type { FolderLinks } from '../folder-links/folder-links.ts';
import type { Server } from '../http/server.ts';
import type { InstanceIdentity } from '../instance/instance.ts';
import type { JobRuns } from '../job-runs/job-runs.ts';
import type { Mail } from '../mail/mail.ts';
import type { Policies } from '../policies/policies.ts';
import type { Settings } from '../settings/settings.ts';
import type { Shares } from '../shares/shares.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Transfers } from '../transfer/transfer.ts';
import { AuditedActions } from './audited-actions.ts';
import { adminContentSearchRoutes } from './content-search/routes.ts';
import { AdminDrives } from './drives/drives.ts';
import { adminDriveRoutes } from './drives/routes.ts';
import { AdminFiles } from './files/files.ts';
import { AdminFolderLinks } from './files/folder-links.ts';
import { adminFileRoutes } from './files/routes.ts';
import { AdminShares } from './files/shares.ts';
import { AdminInstance } from './instance/instance.ts';
import { adminInstanceRoutes } from './instance/routes.ts';
import { AdminInvites } from './invites/invites.ts';
import { adminInviteRoutes } from './invites/routes.ts';
import { AdminMail } from './mail/mail.ts';
import { adminMailRoutes } from './mail/routes.ts';
import { Overview } from './overview/overview.ts';
import { adminOverviewRoutes } from './overview/routes.ts';
import { ServiceSettings } from './overview/service-settings.ts';
import { AdminBlobs } from './storage/blobs.ts';
import { AdminPolicies } from './storage/policies.ts';
import { adminStorageRoutes } from './storage/routes.ts';
import { adminTaskRoutes } from './tasks/routes.ts';
import { AdminTasks } from './tasks/tasks.ts';
import { adminUserRoutes } from './users/routes.ts';
import { AdminUsers } from './users/users.ts';

interface AdminParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly config: Config;
  readonly version: string;
  readonly settings: Settings;
  readonly policies: Policies;
  readonly storeOwnership: StoreOwnership;
  readonly accounts: Accounts;
  readonly drives: Drives;
  readonly drive: Drive;
  readonly shares: Shares;
  readonly folderLinks: FolderLinks;
  readonly tasks: Tasks;
  readonly activity: Activity;
  readonly audit: Audit;
  readonly blobTotal: BlobTotal;
  readonly jobRuns: JobRuns;
  readonly mail: Mail;
  readonly contentSearch: ContentSearch;
  readonly transfers: Transfers;
  readonly identity: InstanceIdentity;
  /** Called when the deletion of an account has begun. */
  readonly onAccountDeletion: () => void;
}

/**
 * The routes for administrators. They read the tables of all features, and make every change through the
 * feature that owns the table.
 */
export function adminRoutes(server: Server, parts: AdminParts): void {
  const actions = new AuditedActions(parts.database, parts.audit);
  const shared = { ...parts, actions };
  adminOverviewRoutes(server, new Overview(parts), new ServiceSettings(shared));
  adminInstanceRoutes(server, new AdminInstance(shared));
  adminUserRoutes(server, new AdminUsers(shared));
  adminDriveRoutes(server, new AdminDrives(shared));
  adminInviteRoutes(server, new AdminInvites(shared));
  adminContentSearchRoutes(server, parts.contentSearch);
  adminMailRoutes(server, new AdminMail(shared));
  adminFileRoutes(server, {
    files: new AdminFiles(shared),
    shares: new AdminShares(shared),
    links: new AdminFolderLinks(shared),
  });
  adminTaskRoutes(server, new AdminTasks(shared));
  const { sweepGraceMs } = parts.config;
  adminStorageRoutes(server, new AdminBlobs({ ...parts, sweepGraceMs }), new AdminPolicies(shared));
}
