import { Type } from 'typebox';
import { EntryRecord, ImportBody } from '../../drive/contract.ts';
import { downloadResponses, redirectResponse } from '../../http/download/download-responses.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { FileBytes, Uuid } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { tusOperations } from '../../uploads/contract.ts';
import { MAX_SESSIONS, OwnTransferRecord, TransferParams, TransferRecord } from '../contract.ts';

const MineList = Type.Array(OwnTransferRecord, { maxItems: MAX_SESSIONS });
const FileParams = Type.Object({ sessionId: Uuid, fileId: Uuid });
/** The transfer and the file of a resumable upload. The upload's own id is `sessionId`. */
export const TransferFileParams = Type.Object({ transferId: Uuid, fileId: Uuid });

export const listStoredTransfers = operation('GET /api/transfer/sessions/offline/mine', {
  does: 'Lists the stored transfers of the caller.',
  access: 'login',
  appPassword: 'read',
  data: MineList,
  example: {},
});

export const uploadTransferFile = operation(
  'POST /api/transfer/sessions/{sessionId}/files/{fileId}/content',
  {
    does: 'Uploads a file of a stored transfer of the caller.',
    access: 'login',
    appPassword: 'write',
    path: FileParams,
    form: Type.Object({ file: FileBytes }),
    takesBytes: true,
    data: TransferRecord,
    example: {
      path: { sessionId: EXAMPLE.awaitedTransfer, fileId: EXAMPLE.awaitedFile },
      bytes: EXAMPLE.content,
    },
  },
);

export const downloadTransferFile = operation(
  'GET /api/transfer/sessions/{sessionId}/files/{fileId}/download',
  {
    does: 'Downloads a file of a stored transfer.',
    access: 'public',
    appPassword: 'read',
    path: FileParams,
    responses: { ...downloadResponses, ...redirectResponse },
    example: { path: { sessionId: EXAMPLE.storedTransfer, fileId: EXAMPLE.storedFile } },
  },
);

export const downloadTransfer = operation('GET /api/v2/transfer/sessions/{sessionId}/download', {
  does: 'Downloads all files of a stored transfer as one archive.',
  access: 'public',
  appPassword: 'read',
  path: TransferParams,
  responses: downloadResponses,
  example: { path: { sessionId: EXAMPLE.storedTransfer } },
});

export const importTransferFile = operation('POST /api/transfer/sessions/{sessionId}/files/{fileId}/import', {
  does: 'Copies a file of a stored transfer into the drive of the caller.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: FileParams,
  body: ImportBody,
  data: EntryRecord,
  example: {
    path: { sessionId: EXAMPLE.storedTransfer, fileId: EXAMPLE.storedFile },
    body: { path: '/' },
  },
});

export const transferTusOperations = tusOperations({
  uploads: '/api/v2/transfer/sessions/{transferId}/files/{fileId}/tus',
  upload: '/api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}',
  access: 'login',
  path: TransferFileParams.properties,
  example: {
    transferId: EXAMPLE.awaitedTransfer,
    fileId: EXAMPLE.awaitedFile,
    sessionId: EXAMPLE.transferUpload,
  },
});
