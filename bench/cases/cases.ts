import type { Case } from '../report/figure.ts';
import { archive } from './archive.ts';
import { bigFile } from './big-file.ts';
import { commandLine } from './command-line.ts';
import { complete } from './complete.ts';
import { directMultipart } from './direct-multipart.ts';
import { download } from './download.ts';
import { acrossInstances, fanOut, manyStreams } from './event-streams.ts';
import { growth } from './growth/growth.ts';
import { users } from './growth/users.ts';
import { idle } from './idle.ts';
import { login } from './login.ts';
import { nginx } from './nginx.ts';
import { page } from './page.ts';
import { ping, profile } from './ping.ts';
import { pingUnderUploads } from './ping-under-uploads.ts';
import { postgresAndS3 } from './postgres-s3.ts';
import { proxySession } from './proxy-session.ts';
import { s3Download, s3Upload } from './s3-transfers.ts';
import { search, searchOnPostgres } from './search.ts';
import { shares } from './shares.ts';
import { signals, signalsOnPostgres } from './signals.ts';
import { tasks } from './tasks.ts';
import { thumbnails } from './thumbnails.ts';
import { copy, move } from './tree.ts';
import { tus } from './tus.ts';
import { upload } from './upload.ts';
import { appPassword, propfind, webdavPut } from './webdav.ts';
import { zip } from './zip.ts';

/** In the order in which they run. */
export const CASES: readonly Case[] = [
  ping,
  profile,
  upload,
  bigFile,
  proxySession,
  tus,
  pingUnderUploads,
  directMultipart,
  complete,
  s3Download,
  s3Upload,
  postgresAndS3,
  download,
  nginx,
  shares,
  thumbnails,
  page,
  search,
  searchOnPostgres,
  move,
  copy,
  zip,
  propfind,
  webdavPut,
  appPassword,
  signals,
  signalsOnPostgres,
  tasks,
  archive,
  commandLine,
  fanOut,
  manyStreams,
  acrossInstances,
  growth,
  users,
  login,
  idle,
];

/** @throws for an unknown name */
export function chooseCases(names: readonly string[]): readonly Case[] {
  const unknown = names.filter((name) => !CASES.some((known) => known.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `no such case: ${unknown.join(', ')}; there are ${CASES.map(({ name }) => name).join(', ')}`,
    );
  }
  return names.length === 0 ? CASES : CASES.filter(({ name }) => names.includes(name));
}
