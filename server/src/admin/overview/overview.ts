import type { Accounts } from '../../accounts/accounts.ts';
import type { Activity } from '../../activity/activity.ts';
import type { Audit, AuditFilter, AuditRecord } from '../../audit/audit.ts';
import { SECOND } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import type { BlobTotal } from '../../blobs/blobs.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/database.ts';
import { DRIVE_RETENTION_MS } from '../../drives/drives.ts';
import { mapPage } from '../../http/fields.ts';
import {
  BACKUP_RUN,
  DEEP_DOCTOR_RUN,
  DOCTOR_RUN,
  type JobRun,
  type JobRuns,
} from '../../job-runs/job-runs.ts';
import type { Policies } from '../../policies/policies.ts';
import type { Settings } from '../../settings/settings.ts';
import { measureDiskSpace } from '../../storage/disk/file-system/free-space.ts';
import type { Transfers } from '../../transfer/transfer.ts';
import { isLargeTable } from '../lists/size-queries.ts';
import { toAdminPolicy } from '../storage/policies.ts';
import type {
  AdminAudit,
  Filesystem,
  JobRunRecord,
  Maintenance,
  SettingsSnapshot,
  Summary,
} from './contract.ts';
import { findTotals } from './queries.ts';
import { toDefaultsRecord } from './service-settings.ts';

interface OverviewParts {
  readonly database: Database;
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly policies: Policies;
  readonly activity: Activity;
  readonly audit: Audit;
  readonly blobTotal: BlobTotal;
  readonly jobRuns: JobRuns;
  readonly transfers: Transfers;
  readonly config: Config;
  readonly version: string;
}

/** Totals, usage and configuration of the whole service. */
export class Overview {
  readonly #parts: OverviewParts;
  readonly #total: BlobTotal;

  constructor(parts: OverviewParts) {
    this.#parts = parts;
    this.#total = parts.blobTotal;
  }

  async summarize(): Promise<Summary> {
    const { db } = this.#parts.database;
    const { users, files, sharedDrives } = await findTotals(db);
    const { requestCount, requestTimeline } = await this.#parts.activity.getTimeline();
    const dailyActiveUsers = await this.#parts.activity.getDailyActiveUsers();
    return {
      totalUsers: users,
      totalSharedDrives: sharedDrives,
      totalFiles: files,
      totalStorageBytes: (await this.#total.find()).bytes,
      inviteCode: (await this.#parts.settings.findInviteCode(db)) ?? null,
      requestCount,
      requestTimeline: [...requestTimeline],
      dailyActiveUsers: dailyActiveUsers.map((day) => ({ ...day, usernames: [...day.usernames] })),
      offlineTransferStorageBytes: await this.#parts.transfers.offlineLimit.getOfflineUsage(db),
      offlineTransferStorageLimitBytes: await this.#parts.transfers.offlineLimit.getOfflineLimit(db),
    };
  }

  /**
   * The configuration without secrets. Every member is listed here, so that a new one is never exposed by
   * accident.
   */
  async describeSettings(): Promise<SettingsSnapshot> {
    const { db, engine } = this.#parts.database;
    const config = this.#parts.config;
    const { id: defaultPolicyId, type } = await this.#parts.policies.getDefault();
    return {
      registration: {
        inviteCode: (await this.#parts.settings.findInviteCode(db)) ?? null,
        ...toDefaultsRecord(await this.#parts.accounts.defaults.find(db)),
      },
      sessions: {
        accessTokenSeconds: config.accessTokenTtlMs / SECOND,
        refreshTokenSeconds: config.refreshTokenTtlMs / SECOND,
        devLogin: config.devLogin,
        rateLimits: config.rateLimits,
      },
      drives: {
        sharedDriveCreators: config.sharedDrives,
        maxSharedDrives: config.maxSharedDrives,
        deletedDriveRetentionSeconds: DRIVE_RETENTION_MS / SECOND,
        peopleSearch: config.peopleSearch,
      },
      transfer: {
        onlineSeconds: config.onlineTransferTtlMs / SECOND,
        offlineSeconds: config.offlineTransferTtlMs / SECOND,
        offlineTransferStorageLimitBytes: await this.#parts.transfers.offlineLimit.getOfflineLimit(db),
        iceServerCount: config.iceServers.length,
      },
      tasks: {
        cleanupIntervalSeconds: config.cleanupIntervalMs / SECOND,
        recycleRetentionSeconds: config.recycleRetentionMs / SECOND,
        uploadSessionSeconds: config.uploadSessionTtlMs / SECOND,
        sweepGraceSeconds: config.sweepGraceMs / SECOND,
      },
      storage: {
        type,
        defaultPolicyId,
        downloadUrlSeconds: config.downloadUrlTtlMs / SECOND,
        accelRedirect: config.accelRedirect !== undefined,
      },
      database: { engine: engine.name },
      timeZone: config.timeZone,
      version: this.#parts.version,
    };
  }

  async describeFilesystem(): Promise<Filesystem> {
    const { objects, bytes } = await this.#total.find();
    const policies = await this.#parts.policies.list(this.#parts.database.db);
    const defaultPolicy = await this.#parts.policies.getDefault();
    return {
      defaultPolicy: toAdminPolicy(defaultPolicy),
      policyCount: policies.length,
      storedObjectCount: objects,
      storedBytes: bytes,
      dataDirectory: {
        ...(await measureDiskSpace(this.#parts.config.dataDir)),
        minFreeBytes: this.#parts.config.minFreeDiskBytes,
      },
      objectsOnDataDirectory: defaultPolicy.type === 'LOCAL',
    };
  }

  /** How the last runs of the backup, the doctor and each maintenance job ended. */
  async describeMaintenance(): Promise<Maintenance> {
    const runs = new Map((await this.#parts.jobRuns.list()).map((run) => [run.name, toJobRunRecord(run)]));
    const take = (name: string) => {
      const run = runs.get(name) ?? null;
      runs.delete(name);
      return run;
    };
    return {
      backup: take(BACKUP_RUN),
      doctor: take(DOCTOR_RUN),
      deepDoctor: take(DEEP_DOCTOR_RUN),
      jobs: [...runs.values()],
    };
  }

  async listAudits(filter: AuditFilter, page: PageRequest): Promise<Page<AdminAudit>> {
    return mapPage(
      await this.#parts.database.readBySize(isLargeTable('audit'), (db) =>
        this.#parts.audit.list(db, filter, page),
      ),
      toAdminAudit,
    );
  }
}

function toJobRunRecord({ name, endedAt, succeededAt, durationMs, failures, error }: JobRun): JobRunRecord {
  return {
    name,
    endedAt: toTimestamp(endedAt),
    succeededAt: succeededAt === null ? null : toTimestamp(succeededAt),
    durationSeconds: durationMs / SECOND,
    failures,
    error,
  };
}

function toAdminAudit({ details, createdAt, ...audit }: AuditRecord): AdminAudit {
  return { ...audit, detailsJson: details, createdAt: toTimestamp(createdAt) };
}
