// Records what responses say about the service: values for later requests, and values that are used up.
import { EXAMPLE } from '../../server/src/http/examples.ts';
import type { Draft, Role } from './requests/draft.ts';
import type { Json, KnownValues } from './requests/known-values.ts';
import type { Operation } from './requests/operations.ts';
import { parse } from './response-checks.ts';
import type { RawResponse } from './service/raw-connection.ts';

/** Records the values of a successful response. */
export function recordFromSuccess(
  known: KnownValues,
  draft: Draft,
  operation: Operation | undefined,
  response: RawResponse,
): void {
  const { role } = draft;
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const answer = isJson ? parse(response.body) : undefined;
  // Not from the API description itself: it describes thousands of things that do not exist.
  if (operation?.responses !== undefined) known.addAll(role, answer);
  recordUpload(known, role, response.headers.get('location') ?? '');
  if (response.headers.get('content-type')?.startsWith('text/html') === true) {
    for (const [, url] of response.body.toString().matchAll(/"(\/(?:assets|web)\/[^"]+)"/g)) {
      known.add('page file', 'anonymous', { url });
    }
  }
  for (const note of NOTES[operation?.name ?? ''] ?? []) note(known, draft, dataOf(answer));
}

function recordUpload(known: KnownValues, role: Role, location: string): void {
  const [, place = '', sessionId] = /^(.*)\/tus\/([\w-]+)$/.exec(location) ?? [];
  if (sessionId === undefined) return;
  const [, token] = /\/folder-links\/([^/]+)$/.exec(place) ?? [];
  const [, transferId, fileId] = /\/transfer\/sessions\/([^/]+)\/files\/([^/]+)$/.exec(place) ?? [];
  if (token !== undefined) known.add('link upload', role, { token, sessionId });
  else if (fileId !== undefined) known.add('transfer upload', role, { transferId, fileId, sessionId });
  else known.add('tus', role, { sessionId });
}

/**
 * Records from the only error that helps to continue: the login with a correct password that still needs a
 * code.
 */
export function recordFromError(
  known: KnownValues,
  { role, body }: Draft,
  { body: answer }: RawResponse,
): void {
  const { ticket } = asObject(dataOf(parse(answer)));
  if (ticket === undefined || body?.kind !== 'json') return;
  known.add('unfinished login', role, { ticket, username: asObject(body.value).username });
}

/** @param data the `data` of the response */
type Note = (known: KnownValues, draft: Draft, data: unknown) => void;

/**
 * Records an account whose authenticator app is known. Its username is at the end of the secret's URI.
 */
const noteAuthenticator: Note = (known, { role }, data) => {
  const totp = known.findNewest('totp', role);
  const [, username] = /:([^:?]+)\?/.exec(decodeURIComponent(`${totp?.otpauthUri}`)) ?? [];
  if (totp === undefined || username === undefined) return;
  const { recoveryCodes } = asObject(data);
  known.add('authenticator', role, { username, secret: totp.secret, recoveryCodes });
  known.add('registered', role, { username, password: EXAMPLE.password });
};

const NOTES: Readonly<Record<string, readonly Note[]>> = {
  'POST /api/auth/register': [
    (known, { role, body }) => {
      if (body?.kind !== 'json' || typeof body.value !== 'object' || body.value === null) return;
      known.add('registered', role, { ...body.value });
    },
  ],
  'POST /api/user/totp/confirm': [noteAuthenticator],
  'POST /api/user/totp/recovery-codes': [noteAuthenticator],
  'POST /api/transfer/sessions/{sessionId}/join': [
    (known, { role }, data) => known.add('joined', role, asObject(data)),
  ],
  'GET /api/v2/files/{fileId}/versions': [
    (known, { role, path: { fileId } }, data) => {
      const ids = Array.isArray(data) ? data.map((version) => asObject(version).id) : [];
      for (const versionId of ids) known.add('version', role, { fileId, versionId });
    },
  ],
  'POST /api/v2/downloads': [
    (known, { role }, data) => {
      const [, ticket] = /[?]ticket=([^&]+)/.exec(`${asObject(data).url}`) ?? [];
      if (ticket !== undefined) known.add('download', role, { ticket });
    },
  ],
  'POST /api/v2/folder-links/{token}/downloads': [
    (known, { role, path: { token } }, data) => {
      const [, ticket] = /[?]ticket=([^&]+)/.exec(`${asObject(data).url}`) ?? [];
      if (ticket !== undefined) known.add('link download', role, { token, ticket });
    },
  ],
  'PUT /api/files/upload/content': [
    (known, { role, query }) => {
      const storageName = query.find(([name]) => name === 'storageName')?.[1];
      if (storageName !== undefined) known.add('filled', role, { storageName });
    },
  ],
  'POST /api/v2/files/upload-sessions/{sessionId}/content': [
    (known, { role, path: { sessionId } }) => known.add('filled session', role, { sessionId }),
  ],
};

function dataOf(answer: unknown): unknown {
  return asObject(answer).data;
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
