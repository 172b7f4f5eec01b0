// The operations whose responses contain what other operations need.
import type { Kind } from './known-values.ts';

/** For each kind, the operations to send in this order, by the role that lacks a value of the kind. */
export const PRODUCERS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  entry: ['POST /api/files/upload'],
  recycled: ['DELETE /api/files/{fileId}', 'GET /api/files/recycle-bin'],
  version: [
    'PUT /api/v2/files/{fileId}/content',
    'PUT /api/v2/files/{fileId}/content',
    'GET /api/v2/files/{fileId}/versions',
  ],
  ticket: ['POST /api/files/upload/initiate'],
  filled: ['PUT /api/files/upload/content'],
  upload: ['POST /api/v2/files/upload-sessions'],
  'filled session': ['POST /api/v2/files/upload-sessions/{sessionId}/content'],
  tus: ['POST /api/v2/files/tus'],
  share: ['POST /api/v2/shares'],
  link: ['POST /api/files/{fileId}/share-links'],
  'own link': ['GET /api/v2/share-links/mine'],
  'folder link': ['POST /api/v2/folder-links'],
  'link upload': ['POST /api/v2/folder-links/{token}/tus'],
  'transfer upload': ['POST /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus'],
  transfer: ['POST /api/transfer/sessions'],
  joined: ['POST /api/transfer/sessions', 'POST /api/transfer/sessions/{sessionId}/join'],
  drive: ['POST /api/v2/drives'],
  'deleted drive': ['POST /api/v2/drives', 'DELETE /api/v2/drives/{id}', 'GET /api/v2/drives'],
  task: ['POST /api/v2/tasks/archive'],
};
