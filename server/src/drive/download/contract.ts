import { Type } from 'typebox';
import { downloadResponses } from '../../http/download/download-responses.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { Id, KeyText, NameText, Nullable } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { ThumbnailQuery, thumbnailResponses } from '../../thumbnails/contract.ts';
import { EntryParams, SignedUrl, ZipTicketQuery } from '../contract.ts';

/** The entries to download as one ZIP archive, and the archive's name. */
export const ZipDownloadBody = Type.Object({
  fileIds: Type.Array(Id, { minItems: 1, maxItems: 1_000 }),
  name: Type.Optional(Nullable(NameText)),
});

export const downloadEntry = operation('GET /api/files/download/{fileId}', {
  does: 'Downloads a file, or a directory as a ZIP archive.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  path: EntryParams,
  responses: downloadResponses,
  example: { path: { fileId: EXAMPLE.file } },
});

export const signDownload = operation('GET /api/files/download/{fileId}/url', {
  does: 'Signs an address at which anyone can download a file for a short time.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  path: EntryParams,
  data: SignedUrl,
  example: { path: { fileId: EXAMPLE.file } },
});

export const createZipDownload = operation('POST /api/v2/downloads', {
  does: 'Creates an address for the download of several entries as one ZIP archive.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  body: ZipDownloadBody,
  data: SignedUrl,
  example: { body: { fileIds: [EXAMPLE.file, EXAMPLE.directory], name: 'Files.zip' } },
});

/** The ticket is in the query, because access logs do not contain queries. */
export const downloadZip = operation('GET /api/v2/downloads', {
  does: 'Downloads the ZIP archive of a ticket.',
  access: 'public',
  appPassword: 'read',
  query: ZipTicketQuery,
  responses: downloadResponses,
  example: { query: { ticket: EXAMPLE.download } },
});

/** Serves signed URLs where no front proxy does. The signature covers the path as the client sent it. */
export const downloadSigned = operation('GET /_dl/*', {
  does: 'Downloads the file of a signed address.',
  access: 'public',
  appPassword: 'read',
  query: Type.Object({
    md5: Type.Optional(KeyText),
    expires: Type.Optional(KeyText),
    signature: Type.Optional(KeyText),
    filename: Type.Optional(NameText),
  }),
  responses: downloadResponses,
  isHidden: true,
  example: {
    path: { '*': EXAMPLE.signedPath },
    query: { md5: EXAMPLE.signedDigest, expires: EXAMPLE.signedExpiry },
  },
});

export const getThumbnail = operation('GET /api/v2/files/{fileId}/thumbnail', {
  does: 'Sends the thumbnail of a file.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  path: EntryParams,
  query: ThumbnailQuery,
  responses: thumbnailResponses,
  example: { path: { fileId: EXAMPLE.picture }, query: { size: 256 } },
});
