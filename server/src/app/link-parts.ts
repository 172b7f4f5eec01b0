import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Database } from '../database/database.ts';
import type { Drive } from '../drive/drive.ts';
import type { Drives } from '../drives/drives.ts';
import { FOLDER_LINK_TABLE, FolderLinks } from '../folder-links/folder-links.ts';
import { LinkImport } from '../folder-links/link-import.ts';
import { ReceivedFiles } from '../folder-links/received-files.ts';
import { VisitorUploads } from '../folder-links/visitor-uploads.ts';
import type { CredentialLimiter } from '../limits/limits.ts';
import { LinkCookie, LinkEndings, LinkPasswords } from '../links/links.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { ShareCounters } from '../shares/share-counters.ts';
import { ShareLinks } from '../shares/share-links.ts';
import { SHARE_TABLE, Shares } from '../shares/shares.ts';
import type { Uploads } from '../uploads/uploads.ts';

/** What gives others access to files and directories: shares, legacy share links and folder links. */
export function buildLinkParts(parts: {
  database: Database;
  drives: Drives;
  drive: Drive;
  limiter: CredentialLimiter;
  notifications: Notifications;
  clock: Clock;
  ids: Ids;
  uploads: Uploads;
  secrets: {
    /** Signs cookies. */
    readonly downloadSecret: string;
  };
}) {
  const { secrets, uploads, ...shared } = parts;
  const passwords = new LinkPasswords(parts.limiter);
  const shareEndings = new LinkEndings({ ...shared, of: 'SHARE', table: SHARE_TABLE });
  const folderLinkEndings = new LinkEndings({ ...shared, of: 'FOLDER_LINK', table: FOLDER_LINK_TABLE });
  const counters = new ShareCounters({ ...shared, endings: shareEndings });
  const receivedFiles = new ReceivedFiles({ ...shared, endings: folderLinkEndings });
  return {
    ...{ shareEndings, folderLinkEndings, receivedFiles },
    shares: new Shares({ ...shared, passwords, counters, endings: shareEndings }),
    shareLinks: new ShareLinks({ ...shared, counters }),
    linkImport: new LinkImport(shared),
    visitorUploads: new VisitorUploads({ ...shared, receivedFiles, sessions: uploads.sessions }),
    folderLinks: new FolderLinks({
      ...shared,
      receivedFiles,
      passwords,
      sessions: uploads.sessions,
      cookie: new LinkCookie(secrets.downloadSecret, 'folderLinkPassword'),
    }),
  };
}
