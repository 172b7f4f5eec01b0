import type { Messages } from './messages.ts';
import activity from './zh-CN/activity.json';
import admin from './zh-CN/admin.json';
import app from './zh-CN/app.json';
import auth from './zh-CN/auth.json';
import bin from './zh-CN/bin.json';
import common from './zh-CN/common.json';
import conflicts from './zh-CN/conflicts.json';
import connect from './zh-CN/connect.json';
import details from './zh-CN/details.json';
import drive from './zh-CN/drive.json';
import drives from './zh-CN/drives.json';
import editor from './zh-CN/editor.json';
import extract from './zh-CN/extract.json';
import folderLinks from './zh-CN/folderLinks.json';
import look from './zh-CN/look.json';
import mail from './zh-CN/mail.json';
import nav from './zh-CN/nav.json';
import notifications from './zh-CN/notifications.json';
import people from './zh-CN/people.json';
import photos from './zh-CN/photos.json';
import picker from './zh-CN/picker.json';
import preview from './zh-CN/preview.json';
import profile from './zh-CN/profile.json';
import recent from './zh-CN/recent.json';
import search from './zh-CN/search.json';
import security from './zh-CN/security.json';
import service from './zh-CN/service.json';
import shares from './zh-CN/shares.json';
import shortcuts from './zh-CN/shortcuts.json';
import signOn from './zh-CN/signOn.json';
import starred from './zh-CN/starred.json';
import storage from './zh-CN/storage.json';
import tasks from './zh-CN/tasks.json';
import transfer from './zh-CN/transfer.json';
import uploads from './zh-CN/uploads.json';

/** The texts by area. Each area has one file. */
export const simplifiedChinese: Messages = {
  activity,
  admin,
  app,
  auth,
  bin,
  common,
  conflicts,
  connect,
  details,
  drive,
  drives,
  editor,
  extract,
  folderLinks,
  look,
  mail,
  nav,
  notifications,
  people,
  photos,
  picker,
  preview,
  profile,
  recent,
  search,
  security,
  service,
  shares,
  shortcuts,
  signOn,
  starred,
  storage,
  tasks,
  transfer,
  uploads,
};
