import { toFileName } from '../../base/text/names/file-name.ts';
import { actorOf, callerOf } from '../../http/caller.ts';
import { checkContentLength, expectedFileSize, readFileForm } from '../../http/forms/multipart.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { uploadFile } from '../contract.ts';
import type { Drive } from '../drive.ts';
import { toRecord } from '../entries/entry.ts';
import { toNewFile, toUploadConflictRule } from './new-file.ts';

/** The legacy upload, which sends a file in one request. Uploads in several requests are in `uploads/`. */
export function uploadRoutes(server: Server, drive: Drive): void {
  mount(server, uploadFile, async (request) => {
    const { fileCreation, fileContents } = drive;
    const { accountId } = callerOf(request);
    const limit = await fileCreation.getUploadLimit(accountId);
    checkContentLength(request, limit.maxBytes, limit.message);
    const size = expectedFileSize(request);
    const added = await fileCreation.reserveDuring(accountId, size, async (reservation) => {
      const form = await readFileForm(
        request,
        async (file) => {
          // An invalid name is rejected before the bytes are stored.
          toFileName(file.fileName);
          return fileCreation.store(file.bytes, limit, reservation);
        },
        (bytes) => fileCreation.discard(bytes),
      );
      return await fileContents.add(actorOf(request), form.received, reservation, () => ({
        file: toNewFile({
          path: form.fields.path ?? request.query.path,
          filename: form.fileName,
          contentType: form.contentType,
          modifiedAt: form.fields.modifiedAt ?? request.query.modifiedAt,
        }),
        onConflict: toUploadConflictRule(form.fields.onConflict ?? request.query.onConflict),
      }));
    });
    return toRecord(added);
  });
}
