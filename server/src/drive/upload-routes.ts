import { Type } from 'typebox';
import { toFileName } from '../base/file-name.ts';
import { toLogicalPath } from '../base/logical-path.ts';
import { callerOf } from '../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../http/envelope.ts';
import { checkAnnouncedLength, readFileForm } from '../http/file-part.ts';
import { FileBytes } from '../http/openapi.ts';
import { leaveBodiesRaw, readRawBody } from '../http/raw-body.ts';
import type { Server } from '../http/server.ts';
import { UploadTarget } from '../http/upload-target.ts';
import { contentTypeFor } from './content-type.ts';
import { CompleteBody, EntryRecord, InitiateBody, PathQuery } from './contract.ts';
import type { Drive } from './drive.ts';
import { toRecord } from './entry.ts';
import { actorOf } from './routes.ts';

/** The field may come before or behind the file. */
const UploadForm = Type.Object({ file: FileBytes, ...PathQuery.properties });

const CONTENT_PATH = '/api/files/upload/content';

/** The legacy ways to upload: one form, or initiate, send and complete. */
export function uploadRoutes(server: Server, drive: Drive, baseUrl: () => string): void {
  const config = { access: 'login' } as const;

  server.post(
    '/api/files/upload',
    {
      config: { ...config, form: UploadForm },
      schema: { querystring: PathQuery, response: enveloped(EntryRecord) },
    },
    async (request) => {
      const { intake } = drive;
      const limit = await intake.getLimit(callerOf(request).accountId);
      checkAnnouncedLength(request, limit.maxBytes, limit.message);
      const form = await readFileForm(
        request,
        async (file) => {
          // A name that cannot be is refused before its bytes are stored.
          toFileName(file.fileName);
          return intake.store(file.stream, limit);
        },
        (bytes) => intake.discard(bytes.objectKey),
      );
      const added = await intake.addFile(actorOf(request), form.taken, () =>
        placeOf({
          path: form.fields.path ?? request.query.path,
          filename: form.fileName,
          contentType: form.contentType,
        }),
      );
      return success(toRecord(added));
    },
  );

  server.post(
    '/api/files/upload/initiate',
    { config, schema: { body: InitiateBody, response: enveloped(UploadTarget) } },
    async (request) => {
      const { size } = request.body;
      const { contentType } = placeOf(request.body);
      const storageName = await drive.announced.initiate(callerOf(request).accountId, { size, contentType });
      return success({
        direct: false,
        uploadUrl: `${baseUrl()}${CONTENT_PATH}?${new URLSearchParams({ storageName })}`,
        method: 'PUT',
        headers: { 'Content-Type': contentType },
        storageName,
      });
    },
  );

  server.register(async (scope: Server) => {
    leaveBodiesRaw(scope);
    scope.put(
      CONTENT_PATH,
      {
        config,
        schema: {
          querystring: Type.Object({ storageName: Type.String() }),
          response: envelopedNothing,
        },
      },
      async (request) => {
        const { accountId } = callerOf(request);
        const { storageName } = request.query;
        const limit = await drive.announced.getLimit(accountId, storageName);
        checkAnnouncedLength(request, limit.maxBytes, limit.message);
        await drive.announced.receive(accountId, storageName, readRawBody(request), limit);
        return NOTHING;
      },
    );
  });

  server.post(
    '/api/files/upload/complete',
    { config, schema: { body: CompleteBody, response: enveloped(EntryRecord) } },
    async (request) => {
      const place = placeOf(request.body);
      return success(
        toRecord(await drive.announced.complete(actorOf(request), request.body.storageName, place)),
      );
    },
  );
}

function placeOf(file: {
  path?: string | undefined;
  filename: string;
  contentType?: string | null | undefined;
}) {
  return {
    directoryPath: toLogicalPath(file.path ?? '/'),
    name: toFileName(file.filename),
    contentType: contentTypeFor(file.filename, file.contentType),
  };
}
