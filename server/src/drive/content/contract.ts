import { Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { FileBytes, PathText, TimestampText } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { EntryParams, EntryRecord, UploadConflict } from '../contract.ts';

/** The fields of an upload form besides the file. They may be sent in the query instead. */
const UploadQuery = Type.Object({
  path: Type.Optional(PathText),
  modifiedAt: Type.Optional(TimestampText),
  onConflict: UploadConflict,
});

export const uploadFile = operation('POST /api/files/upload', {
  does: 'Uploads a file in one request.',
  access: 'login',
  appPassword: 'write',
  query: UploadQuery,
  form: Type.Object({ file: FileBytes, ...UploadQuery.properties }),
  data: EntryRecord,
  example: { form: { file: EXAMPLE.content, path: '/' } },
});

export const replaceContent = operation('PUT /api/v2/files/{fileId}/content', {
  does: 'Replaces the content of a file; the old content becomes a version.',
  access: 'login',
  appPassword: 'write',
  path: EntryParams,
  query: Type.Object({ modifiedAt: Type.Optional(TimestampText) }),
  takesBytes: true,
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.file }, bytes: EXAMPLE.content },
});
