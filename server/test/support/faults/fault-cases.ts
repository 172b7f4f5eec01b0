import type { Server } from '../../../src/http/server.ts';
import { listApiRoutes } from '../http/api-routes.ts';
import { ACCOUNT_CASES } from './cases/account-cases.ts';
import { ADMIN_CASES } from './cases/admin-cases.ts';
import { DAV_CASES } from './cases/dav-cases.ts';
import { DRIVE_CASES } from './cases/drive-cases.ts';
import { FOLDER_LINK_CASES } from './cases/folder-link-cases.ts';
import { SHARING_CASES } from './cases/sharing-cases.ts';
import { SIGN_IN_CASES } from './cases/sign-in-cases.ts';
import { TASK_CASES } from './cases/task-cases.ts';
import { UPLOAD_CASES } from './cases/upload-cases.ts';
import type { FaultCase } from './fault-case.ts';

export const FAULT_CASES: readonly FaultCase[] = [
  ...DRIVE_CASES,
  ...DAV_CASES,
  ...UPLOAD_CASES,
  ...ACCOUNT_CASES,
  ...SIGN_IN_CASES,
  ...SHARING_CASES,
  ...FOLDER_LINK_CASES,
  ...TASK_CASES,
  ...ADMIN_CASES,
];

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The routes that change something, as far as their methods tell. */
export function listChangingRoutes(server: Server): readonly string[] {
  return listApiRoutes(server)
    .filter(({ method }) => !READING.has(method))
    .map(({ method, url }) => `${method} ${url}`);
}
