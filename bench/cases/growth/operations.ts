import { randomBytes } from 'node:crypto';
import { deleteRequest, getRequest, jsonRequest, uploadRequest } from '../../load/requests.ts';
import { readMember, readNumber, type Service } from '../../service.ts';
import { type DriveFiller, LARGE, MOVED, RARE_WORD } from './fill-drive.ts';
import type { TimedCalls } from './timed-calls.ts';

/** The usual operations of a drive, once each. Each call leaves the drive unchanged, except for new files. */
export type Operation = (calls: TimedCalls) => Promise<void>;

/** @param run part of the names of new files */
export async function toOperations(
  service: Service,
  drive: DriveFiller,
  run: string,
): Promise<readonly Operation[]> {
  const { token } = service;
  const moved = await findId(service, MOVED);
  await service.makeDirectory(`/target ${run}`);
  const renamed = await service.upload('/', `renamed ${run}.bin`, randomBytes(1));
  const reading = (name: string, path: string): Operation => {
    const request = getRequest(path, token);
    return async (calls) => void (await calls.call(name, request));
  };
  const moveTo = (path: string) => jsonRequest('PATCH', `/api/files/${moved}/move`, { path }, token);
  let cursor = drive.lastEventId();
  let uploads = 0;
  let names = 0;
  return [
    reading('ping', '/api/v2/site/ping'),
    reading('account', '/api/user/profile'),
    reading('page of 100', `/api/files/list?path=/${LARGE}&size=100`),
    reading('20 recent files', '/api/files/recent?size=20'),
    reading('100 files of the timeline', '/api/v2/files/timeline?size=100'),
    reading('search of a rare word', `/api/v2/files/search?name=${RARE_WORD.toLowerCase()}`),
    async (calls) => {
      uploads += 1;
      const filename = `new ${run} ${uploads}.bin`;
      const upload = uploadRequest({ directory: `/${LARGE}`, filename, token }, randomBytes(4_096));
      await calls.call('upload of 4 KiB', upload);
    },
    async (calls) => {
      names += 1;
      const filename = `renamed ${run} ${names}.bin`;
      await calls.call('rename', jsonRequest('PATCH', `/api/files/${renamed}/rename`, { filename }, token));
      const changes = getRequest(`/api/v2/files/changes?cursor=${cursor}`, token);
      cursor = readNumber(await calls.call('changes after one change', changes), 'nextCursor');
    },
    async (calls) => {
      await calls.call('move of a directory of 1,000', moveTo(`/target ${run}`));
      await calls.call('move of a directory of 1,000', moveTo('/'));
    },
    async (calls) => {
      await calls.call('recycling a directory of 1,000', deleteRequest(`/api/files/${moved}`, token));
      const restore = jsonRequest('POST', `/api/files/recycle-bin/${moved}/restore`, {}, token);
      await calls.call('restoring it', restore);
    },
  ];
}

async function findId(service: Service, name: string): Promise<number> {
  const list = await service.get('/api/files/list?path=/&size=1000');
  const items = readMember(list, 'items');
  const found: unknown = Array.isArray(items)
    ? items.find((record: unknown) => readMember(record, 'filename') === name)
    : undefined;
  return readNumber(found, 'id');
}
