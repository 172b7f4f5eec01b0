import { toFileName } from '../base/file-name.ts';
import { toLogicalPath } from '../base/logical-path.ts';
import { callerOf } from '../http/caller.ts';
import { enveloped, success } from '../http/envelope.ts';
import { checkAnnouncedLength, readFileForm } from '../http/file-part.ts';
import type { Server } from '../http/server.ts';
import { contentTypeFor } from './content-type.ts';
import { EntryRecord, PathQuery } from './contract.ts';
import type { Drive } from './drive.ts';
import { toRecord } from './entry.ts';
import { actorOf } from './routes.ts';

/** The legacy ways to upload: one form, or initiate and complete. */
export function uploadRoutes(server: Server, drive: Drive): void {
  const config = { access: 'login' } as const;

  server.post(
    '/api/files/upload',
    { config, schema: { querystring: PathQuery, response: enveloped(EntryRecord) } },
    async (request) => {
      const { intake } = drive;
      const limit = await intake.getLimit(callerOf(request).accountId);
      checkAnnouncedLength(request, limit.maxBytes, limit.message);
      const form = await readFileForm(request, async (file) => {
        // A name that cannot be is refused before its bytes are stored.
        toFileName(file.fileName);
        return intake.store(file.stream, limit);
      });
      const added = await intake.addFile(actorOf(request), form.taken, () => ({
        directoryPath: toLogicalPath(form.fields.path ?? request.query.path ?? '/'),
        name: toFileName(form.fileName),
        contentType: contentTypeFor(form.fileName, form.contentType),
      }));
      return success(toRecord(added));
    },
  );
}
