import assert from 'node:assert/strict';
import type { Operation } from '../../../src/http/operation.ts';
import type { Server } from '../../../src/http/server.ts';
import { listApiRoutes } from '../http/api-routes.ts';
import { ACCOUNT_NEEDS } from './cases/account-cases.ts';
import { ADMIN_NEEDS } from './cases/admin-cases.ts';
import { DAV_CASES } from './cases/dav-cases.ts';
import { DRIVE_NEEDS, MORE_DRIVE_CASES } from './cases/drive-cases.ts';
import { FOLDER_LINK_NEEDS, MORE_FOLDER_LINK_CASES } from './cases/folder-link-cases.ts';
import { MORE_SHARED_DRIVE_CASES, SHARED_DRIVE_NEEDS } from './cases/shared-drive-cases.ts';
import { MORE_SHARING_CASES, SHARING_NEEDS } from './cases/sharing-cases.ts';
import { SIGN_IN_NEEDS } from './cases/sign-in-cases.ts';
import { TASK_NEEDS } from './cases/task-cases.ts';
import { MORE_UPLOAD_CASES, UPLOAD_NEEDS } from './cases/upload-cases.ts';
import { exampleCase, type NeedsByName } from './example-case.ts';
import type { FaultCase } from './fault-case.ts';

/** What operations need besides their examples. Most need nothing. */
export const NEEDS: NeedsByName = {
  ...DRIVE_NEEDS,
  ...UPLOAD_NEEDS,
  ...ACCOUNT_NEEDS,
  ...SIGN_IN_NEEDS,
  ...SHARING_NEEDS,
  ...FOLDER_LINK_NEEDS,
  ...ADMIN_NEEDS,
  ...TASK_NEEDS,
  ...SHARED_DRIVE_NEEDS,
};

/**
 * Cases without an example of a changing operation: WebDAV, large files, variants of an operation, reading.
 */
export const MORE_CASES: readonly FaultCase[] = [
  ...MORE_DRIVE_CASES,
  ...MORE_UPLOAD_CASES,
  ...MORE_SHARING_CASES,
  ...MORE_SHARED_DRIVE_CASES,
  ...MORE_FOLDER_LINK_CASES,
  ...DAV_CASES,
];

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** One case for each operation that changes something, made from its example, plus the additional cases. */
export function listFaultCases(server: Server): readonly FaultCase[] {
  return [
    ...listChangingOperations(server).map((operation) => exampleCase(operation, NEEDS[operation.name])),
    ...MORE_CASES,
  ];
}

/** The operations that change something, judging by their methods. */
export function listChangingOperations(server: Server): readonly Operation[] {
  const changing = listApiRoutes(server).filter(({ method }) => !READING.has(method));
  return changing.map(({ method, url, operation }) => {
    assert.ok(operation, `${method} ${url} has no description`);
    return operation;
  });
}

/** Whether a case is about files in a drive, and their uploads. */
export function isAboutFiles({ route }: FaultCase): boolean {
  return /^\w+ \/api\/(?:v2\/)?(?:files|downloads)(?:\/|$)/.test(route);
}

/** Whether a case is about an upload that takes more than one request. */
export function isAboutUploads({ route }: FaultCase): boolean {
  return /^\w+ \/api\/(?:v2\/)?files\/(?:upload\/|upload-sessions|tus)/.test(route);
}
