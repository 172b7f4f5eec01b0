import type { Case } from '../report/figure.ts';
import { bigFile } from './big-file.ts';
import { contentSearch, contentSearchOnPostgres, uploadWhileIndexing } from './content-search.ts';
import { download } from './download.ts';
import { idle } from './idle.ts';
import { login } from './login.ts';
import { page } from './page.ts';
import { ping } from './ping.ts';
import { postgresAndS3 } from './postgres-s3.ts';
import { search, searchOnPostgres } from './search.ts';
import { shares } from './shares.ts';
import { tus } from './tus.ts';
import { upload } from './upload.ts';
import { appPassword, propfind, webdavPut } from './webdav.ts';
import { zip } from './zip.ts';

/** All cases, in the order in which they run. */
export const CASES: readonly Case[] = [
  ping,
  upload,
  bigFile,
  tus,
  postgresAndS3,
  download,
  shares,
  page,
  search,
  searchOnPostgres,
  contentSearch,
  contentSearchOnPostgres,
  uploadWhileIndexing,
  zip,
  propfind,
  webdavPut,
  appPassword,
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
