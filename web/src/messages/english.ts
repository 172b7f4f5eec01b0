import type admin from './en/admin.json';
import app from './en/app.json';
import auth from './en/auth.json';
import bin from './en/bin.json';
import common from './en/common.json';
import conflicts from './en/conflicts.json';
import type connect from './en/connect.json';
import details from './en/details.json';
import drive from './en/drive.json';
import type folderLinks from './en/folderLinks.json';
import look from './en/look.json';
import nav from './en/nav.json';
import type photos from './en/photos.json';
import preview from './en/preview.json';
import profile from './en/profile.json';
import search from './en/search.json';
import security from './en/security.json';
import shares from './en/shares.json';
import signOn from './en/signOn.json';
import storage from './en/storage.json';
import tasks from './en/tasks.json';
import transfer from './en/transfer.json';
import uploads from './en/uploads.json';

/** By area: one file per part of the client. */
export const english = {
  app,
  auth,
  bin,
  common,
  conflicts,
  details,
  drive,
  look,
  nav,
  preview,
  profile,
  search,
  security,
  shares,
  signOn,
  storage,
  tasks,
  transfer,
  uploads,
};

/** Includes messages that are loaded later with their pages, because few users see them: `admin/admin-messages.ts`. */
export type Messages = typeof english & {
  admin: typeof admin;
  connect: typeof connect;
  folderLinks: typeof folderLinks;
  photos: typeof photos;
};
