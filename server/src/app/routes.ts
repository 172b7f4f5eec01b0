import { appPasswordRoutes } from '../accounts/app-passwords/routes.ts';
import { avatarRoutes } from '../accounts/avatar/routes.ts';
import { accountRoutes } from '../accounts/routes.ts';
import { adminRoutes } from '../admin/admin-routes.ts';
import { davRoutes } from '../dav/routes.ts';
import { contentRoutes } from '../drive/content/routes.ts';
import { downloadRoutes } from '../drive/download/routes.ts';
import { driveRoutes } from '../drive/routes.ts';
import { searchRoutes } from '../drive/search/routes.ts';
import { timelineRoutes } from '../drive/timeline/routes.ts';
import { betweenDrivesRoutes } from '../drive/tree/routes.ts';
import { versionRoutes } from '../drive/versions/routes.ts';
import { DriveActivity } from '../drives/activity/activity.ts';
import { driveActivityRoutes } from '../drives/activity/routes.ts';
import { sharedDriveRoutes } from '../drives/lifecycle/routes.ts';
import { memberRoutes } from '../drives/members/routes.ts';
import { eventRoutes } from '../events/routes.ts';
import { visitorDownloadRoutes } from '../folder-links/download-routes.ts';
import { findFolderLinkPreviews } from '../folder-links/folder-link-previews.ts';
import { folderLinkRoutes } from '../folder-links/routes.ts';
import { visitorTusPlace, visitorUploadRoutes } from '../folder-links/upload-routes.ts';
import { visitorRoutes } from '../folder-links/visitor-routes.ts';
import type { FindLinkPreview } from '../http/link-preview.ts';
import type { Server } from '../http/server.ts';
import { instanceRoutes } from '../instance/routes.ts';
import { LinkCookie, LinkCreators, OwnerAvatars } from '../links/links.ts';
import { pushRoutes } from '../notifications/push/routes.ts';
import { notificationRoutes } from '../notifications/routes.ts';
import { originOf } from '../policies/open-store.ts';
import { releaseRoutes } from '../releases/routes.ts';
import { shareLinkRoutes } from '../shares/link-routes.ts';
import { shareRoutes } from '../shares/routes.ts';
import { findSharePreviews } from '../shares/share-previews.ts';
import { ShareSummaries } from '../shares/share-summaries.ts';
import { SharedDownloads } from '../shares/shared-downloads.ts';
import type { Readiness } from '../site/readiness.ts';
import { siteRoutes } from '../site/routes.ts';
import { serveWebClient, type WebClient } from '../site/web-client-routes.ts';
import { taskRoutes } from '../tasks/routes.ts';
import { deviceOfferRoutes } from '../transfer/devices/routes.ts';
import { offlineRoutes, transferTusPlace } from '../transfer/offline/routes.ts';
import { transferRoutes } from '../transfer/routes.ts';
import { signalRoutes } from '../transfer/signals/routes.ts';
import { legacyUploadRoutes } from '../uploads/legacy-routes.ts';
import { uploadSessionRoutes } from '../uploads/sessions/routes.ts';
import { ownTusPlace, tusRoutes } from '../uploads/tus/routes.ts';
import { storeSettingsOf } from './connections.ts';
import type { Parts } from './parts.ts';
import { VERSION } from './version.ts';

/** Mounts every route of the service. */
export async function mountRoutes(
  server: Server,
  parts: Parts,
  { webClient, readiness }: { webClient: WebClient | undefined; readiness: Readiness },
): Promise<void> {
  const { config, clock, accounts, avatars, drive, uploads, releases, tasks, events, streams, transfers } =
    parts;
  const baseUrl = () => config.publicUrl ?? server.listeningOrigin;
  await mountSite(server, parts, { webClient, baseUrl, readiness });
  accountRoutes(server, accounts, { devLogin: config.devLogin, baseUrl });
  appPasswordRoutes(server, accounts.appPasswords);
  avatarRoutes(server, avatars, baseUrl);
  notificationRoutes(server, parts.notifications);
  pushRoutes(server, parts.push);
  sharedDriveRoutes(server, parts.drives);
  driveRoutes(server, drive);
  memberRoutes(server, parts.drives);
  betweenDrivesRoutes(server, drive);
  timelineRoutes(server, drive);
  searchRoutes(server, { drive, drives: parts.drives, findsContent: parts.contentSearch.isOn });
  contentRoutes(server, drive);
  legacyUploadRoutes(server, { uploads, records: drive.records, baseUrl });
  uploadSessionRoutes(server, uploads, clock);
  const tus = { uploads, clock, baseUrl: config.publicUrl ?? '' };
  tusRoutes(server, tus, ownTusPlace(uploads));
  const { accelRedirect } = config;
  downloadRoutes(server, { drive, thumbnails: parts.thumbnails, baseUrl, accelRedirect });
  versionRoutes(server, drive, accelRedirect);
  mountShares(server, parts, { baseUrl, hasPages: webClient !== undefined });
  mountFolderLinks(server, parts);
  // Relative addresses, because the page may have been opened at another address than the public one.
  tusRoutes(server, { ...tus, baseUrl: '' }, visitorTusPlace(parts.folderLinks, parts.visitorUploads));
  tusRoutes(server, { ...tus, baseUrl: '' }, transferTusPlace(transfers));
  if (config.webdav) mountDav(server, parts);
  releaseRoutes(server, releases, baseUrl);
  mountTransfers(server, parts);
  taskRoutes(server, tasks);
  const writerFor = transfers.deviceStreams.writerFor.bind(transfers.deviceStreams);
  eventRoutes(server, { events, streams, writerFor });
  driveActivityRoutes(server, new DriveActivity(parts));
  mountAdministration(server, parts);
}

/** The availability check, the web client's pages, health and metrics. */
async function mountSite(
  server: Server,
  parts: Parts,
  site: { webClient: WebClient | undefined; baseUrl: () => string; readiness: Readiness },
): Promise<void> {
  const { database, ids, clock } = parts;
  const { webClient, baseUrl, readiness } = site;
  const storeOrigins = () => listStoreOrigins(parts);
  const findSharePreview = findSharePreviews({ database, clock, baseUrl });
  const findFolderLinkPreview = findFolderLinkPreviews(parts.folderLinks);
  const findPreview: FindLinkPreview = async (page) =>
    (await findSharePreview(page)) ?? (await findFolderLinkPreview(page));
  const options = { ids, storeOrigins, findPreview, findInstance: () => parts.identity.getForPage() };
  const sendPage = webClient && (await serveWebClient(server, webClient, options));
  siteRoutes(server, VERSION, readiness, sendPage);
  instanceRoutes(server, parts.identity);
}

function mountShares(
  server: Server,
  { config, secrets, database, shares, shareLinks, drive, thumbnails, clock }: Parts,
  links: { baseUrl: () => string; hasPages: boolean },
): void {
  const creators = new LinkCreators(database, 'share');
  const ownerAvatars = new OwnerAvatars(database, thumbnails);
  shareLinkRoutes(server, { shareLinks, records: drive.records, creators, ownerAvatars, ...links });
  const downloadCookie = new LinkCookie(secrets.downloadSecret, 'shareDownload');
  const passwordCookie = new LinkCookie(secrets.downloadSecret, 'sharePassword');
  const { accelRedirect } = config;
  shareRoutes(server, {
    shares,
    records: drive.records,
    thumbnails,
    ownerAvatars,
    passwordCookie,
    clock,
    summaries: new ShareSummaries({ drive, creators, clock }),
    downloads: new SharedDownloads({ shares, drive, downloadCookie, passwordCookie, clock, accelRedirect }),
  });
}

function mountFolderLinks(server: Server, parts: Parts): void {
  const { config, database, folderLinks, visitorUploads, clock } = parts;
  const creators = new LinkCreators(database, 'folder_link');
  folderLinkRoutes(server, { links: folderLinks, creators, clock });
  visitorUploadRoutes(server, folderLinks, visitorUploads);
  visitorRoutes(server, { ...parts, ownerAvatars: new OwnerAvatars(database, parts.thumbnails) });
  visitorDownloadRoutes(server, { ...parts, accelRedirect: config.accelRedirect });
}

function mountDav(server: Server, { config, database, dav, drive }: Parts): void {
  const { publicUrl, accelRedirect } = config;
  const translateError = (error: unknown) => database.translate(error);
  davRoutes(server, { dav, drive, publicUrl, accelRedirect, translateError });
}

function mountTransfers(server: Server, { config, transfers, drive, clock }: Parts): void {
  transferRoutes(server, { transfers, iceServers: config.iceServers, clock });
  signalRoutes(server, transfers.signals);
  deviceOfferRoutes(server, transfers.deviceOffers);
  const { accelRedirect } = config;
  const { offline, fetches } = transfers;
  offlineRoutes(server, { offline, fetches, records: drive.records, accelRedirect });
}

function mountAdministration(server: Server, parts: Parts): void {
  adminRoutes(server, {
    config: parts.config,
    version: VERSION,
    database: parts.database,
    clock: parts.clock,
    settings: parts.settings,
    policies: parts.policies,
    storeOwnership: parts.storeOwnership,
    accounts: parts.accounts,
    drives: parts.drives,
    drive: parts.drive,
    shares: parts.shares,
    folderLinks: parts.folderLinks,
    tasks: parts.tasks,
    activity: parts.activity,
    audit: parts.audit,
    blobTotal: parts.blobTotal,
    jobRuns: parts.jobRuns,
    mail: parts.mail,
    contentSearch: parts.contentSearch,
    identity: parts.identity,
    transfers: parts.transfers,
    onAccountDeletion: () => parts.accountRemovalJob.trigger(),
  });
}

/** The origins of the object stores that browsers upload to and download from directly. */
async function listStoreOrigins({ config, policies }: Parts): Promise<readonly string[]> {
  const storage = storeSettingsOf(config);
  const origins = (await policies.listLocations()).map((location) => originOf(location, storage));
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}
