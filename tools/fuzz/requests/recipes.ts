// Valid requests for operations whose schema does not say enough: values that belong together, names that
// must be new, and ids from earlier answers.
import { Secret, TOTP } from 'otpauth';
import type { Draft, DraftBody, Role } from './draft.ts';
import type { Kind, KnownValues } from './known-values.ts';
import type { Random } from './random.ts';
import { PICTURE, ZIP_ARCHIVE } from './sample-files.ts';

/** The password of all accounts and shares. */
export const PASSWORD = 'correct horse battery staple';
const OTHER_PASSWORD = 'another horse battery staple';

interface RecipeContext {
  readonly role: Role;
  readonly random: Random;
  readonly known: KnownValues;
}

type Json = Readonly<Record<string, unknown>>;
type Prepared = Partial<Pick<Draft, 'path' | 'query' | 'headers' | 'body'>>;
type Recipe = (context: RecipeContext) => Prepared | undefined;

/** The size of announced uploads, so that any of them can receive the same bytes. */
const CONTENT = Buffer.from('sixteen bytes ..');

/** As large as the ciphertext of an empty file. */
const ENCRYPTED = {
  encrypted: true,
  salt: 'AAECAwQFBgcICQoLDA0ODw',
  files: [{ name: 'file-0', size: CONTENT.byteLength, encryptedName: 'n'.repeat(80) }],
};

const TOTP_STEP_MS = 30_000;

const THUMBNAIL_SIZE = ['size', '256'] as const;

const TUS = ['tus-resumable', '1.0.0'] as const;
const TUS_CHUNK = ['content-type', 'application/offset+octet-stream'] as const;

export const RECIPES: Readonly<Record<string, Recipe>> = {
  'POST /api/auth/register': ({ random, known, role }) => {
    const username = `fuzz-${random.word()}`;
    return json({
      username,
      email: `${username}@example.org`,
      phoneNumber: `+${random.between(1e9, 9e9)}${random.below(1e6)}`,
      password: PASSWORD,
      confirmPassword: PASSWORD,
      inviteCode: known.find('invite', role)?.inviteCode ?? 'unknown',
    });
  },
  'POST /api/auth/login': ({ known, role }) =>
    known.use('registered', role, ({ username }) => json({ username, password: PASSWORD })),
  'POST /api/auth/dev-login': ({ random }) => ({
    body: undefined,
    query: [
      ['username', `dev-${random.below(30)}`],
      ['role', 'USER'],
    ],
  }),
  'POST /api/auth/refresh': ({ known, role }) =>
    known.use('refresh', role, ({ refreshToken }) => json({ refreshToken })),
  'POST /api/auth/second-factor': ({ known, role, random }) =>
    known.use('unfinished login', role, ({ ticket, username }) => {
      const app = known.find('authenticator', role, (value) => value.username === username);
      return app && json({ ticket, code: secondFactorOf(app, random) });
    }),
  'POST /api/user/totp/confirm': ({ known, role }) => {
    const totp = known.findNewest('totp', role);
    return totp && json({ code: totpCode(`${totp.secret}`, Date.now()) });
  },
  'POST /api/user/totp/recovery-codes': () => json({ password: PASSWORD }),
  'DELETE /api/user/totp': () => json({ password: PASSWORD }),
  'POST /api/user/password': ({ random }) => {
    const [currentPassword, newPassword] = random.chance(50)
      ? [PASSWORD, OTHER_PASSWORD]
      : [OTHER_PASSWORD, PASSWORD];
    return json({ currentPassword, newPassword });
  },
  'POST /api/user/avatar/upload/initiate': () =>
    json({ filename: 'me.png', contentType: 'image/png', size: PICTURE.byteLength }),
  'POST /api/user/avatar/upload': () => ({ ...form(PICTURE, 'me.png', 'image/png'), query: [] }),
  'POST /api/user/avatar/upload/complete': ({ known, role }) =>
    known.use('ticket', role, ({ storageName }) => json({ storageName }), isPicture),

  'POST /api/files/upload': ({ random }) => ({ ...newFileForm(random), query: [] }),
  'POST /api/files/upload/initiate': ({ random }) => json(announcement(random)),
  'PUT /api/files/upload/content': ({ known, role }) =>
    known.use(
      'ticket',
      role,
      ({ storageName }) => ({
        query: [['storageName', `${storageName}`]],
        body: bytes(CONTENT),
      }),
      isAnnounced,
    ),
  'POST /api/files/upload/complete': ({ known, role, random }) =>
    known.use('filled', role, ({ storageName }) =>
      json({ path: '/', filename: `${random.word()}.txt`, storageName }),
    ),
  'POST /api/v2/files/upload-sessions': ({ random }) => json(announcement(random)),
  'POST /api/v2/files/upload-sessions/{sessionId}/content': ({ known, role }) =>
    known.use(
      'upload',
      role,
      ({ sessionId }) => ({
        path: { sessionId: `${sessionId}` },
        ...form(CONTENT, 'content', 'text/plain'),
      }),
      isOpen,
    ),
  'POST /api/v2/files/upload-sessions/{sessionId}/complete': ({ known, role }) =>
    known.use('filled session', role, ({ sessionId }) => ({ path: { sessionId: `${sessionId}` } })),

  'OPTIONS /api/v2/files/tus': () => ({ headers: [] }),
  'OPTIONS /api/v2/files/tus/{sessionId}': ({ known, role }) => tus(known, role, []),
  'POST /api/v2/files/tus': ({ random }) => ({
    headers: [TUS, ['upload-length', `${CONTENT.byteLength}`], ['upload-metadata', tusMetadata(random)]],
  }),
  'POST /api/v2/files/tus/{sessionId}': ({ known, role }) =>
    tus(known, role, [TUS, TUS_CHUNK, ['upload-offset', '0'], ['x-http-method-override', 'PATCH']], CONTENT),
  'HEAD /api/v2/files/tus/{sessionId}': ({ known, role }) => tus(known, role, [TUS]),
  'DELETE /api/v2/files/tus/{sessionId}': ({ known, role }) => tus(known, role, [TUS]),
  'PATCH /api/v2/files/tus/{sessionId}': ({ known, role }) =>
    tus(known, role, [TUS, TUS_CHUNK, ['upload-offset', '0']], CONTENT),
  'OPTIONS /api/v2/folder-links/{token}/tus': ({ known, role }) => onLink(known, role, takesFiles),
  'OPTIONS /api/v2/folder-links/{token}/tus/{sessionId}': ({ known, role }) => linkTus(known, role, []),
  'POST /api/v2/folder-links/{token}/tus': ({ known, role, random }) => ({
    ...onLink(known, role, takesFiles),
    headers: [TUS, ['upload-length', `${CONTENT.byteLength}`], ['upload-metadata', tusMetadata(random)]],
  }),
  'POST /api/v2/folder-links/{token}/tus/{sessionId}': ({ known, role }) => {
    const headers = [TUS, TUS_CHUNK, ['upload-offset', '0'], ['x-http-method-override', 'PATCH']] as const;
    return linkTus(known, role, headers, CONTENT);
  },
  'HEAD /api/v2/folder-links/{token}/tus/{sessionId}': ({ known, role }) => linkTus(known, role, [TUS]),
  'DELETE /api/v2/folder-links/{token}/tus/{sessionId}': ({ known, role }) => linkTus(known, role, [TUS]),
  'PATCH /api/v2/folder-links/{token}/tus/{sessionId}': ({ known, role }) =>
    linkTus(known, role, [TUS, TUS_CHUNK, ['upload-offset', '0']], CONTENT),
  'OPTIONS /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus': (context) => transferTus(context),
  'OPTIONS /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}': ({ known, role }) =>
    transferUpload(known, role, []),
  'POST /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus': (context) => {
    const length = ['upload-length', `${CONTENT.byteLength}`] as const;
    return transferTus(context, [TUS, length, ['upload-metadata', tusMetadata(context.random)]]);
  },
  'POST /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}': ({ known, role }) => {
    const headers = [TUS, TUS_CHUNK, ['upload-offset', '0'], ['x-http-method-override', 'PATCH']] as const;
    return transferUpload(known, role, headers, CONTENT);
  },
  'HEAD /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}': ({ known, role }) =>
    transferUpload(known, role, [TUS]),
  'DELETE /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}': ({ known, role }) =>
    transferUpload(known, role, [TUS]),
  'PATCH /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}': ({ known, role }) =>
    transferUpload(known, role, [TUS, TUS_CHUNK, ['upload-offset', '0']], CONTENT),
  'GET /_dl/*': ({ known, role }) => known.use('url', role, ({ url }) => signedUrl(`${url}`)),
  'HEAD /_dl/*': ({ known, role }) => known.use('url', role, ({ url }) => signedUrl(`${url}`)),

  'GET /assets/*': ({ known }) => pageFile(known, '/assets/'),
  'HEAD /assets/*': ({ known }) => pageFile(known, '/assets/'),
  'GET /web/*': ({ known }) => pageFile(known, '/web/'),
  'HEAD /web/*': ({ known }) => pageFile(known, '/web/'),

  'PUT /api/v2/files/{fileId}/content': ({ known, role, random }) =>
    known.use(
      'entry',
      role,
      ({ id }) => ({ path: { fileId: `${id}` }, query: [], body: bytes(Buffer.from(random.word(30))) }),
      isFile,
    ),
  'GET /api/v2/files/{fileId}/versions': ({ known, role }) =>
    known.use('entry', role, ({ id }) => ({ path: { fileId: `${id}` } }), isFile),
  'GET /api/v2/files/{fileId}/versions/{versionId}': ({ known, role }) => onVersion(known, role),
  'HEAD /api/v2/files/{fileId}/versions/{versionId}': ({ known, role }) => onVersion(known, role),
  'DELETE /api/v2/files/{fileId}/versions/{versionId}': ({ known, role }) => onVersion(known, role),
  'POST /api/v2/files/{fileId}/versions/{versionId}/restore': ({ known, role }) => onVersion(known, role),
  'GET /api/v2/files/{fileId}/thumbnail': (context) => thumbnail(context),
  'HEAD /api/v2/files/{fileId}/thumbnail': (context) => thumbnail(context),
  'GET /api/v2/files/{fileId}/archive': ({ known, role }) =>
    known.use(
      'entry',
      role,
      ({ id }) => ({ path: { fileId: `${id}` } }),
      ({ filename }) => /\.zip$/.test(`${filename}`),
    ),
  'POST /api/v2/downloads': ({ known, role, random }) =>
    known.use('entry', role, ({ id }) => json({ fileIds: [id], name: `${random.word()}.zip` })),

  'POST /api/v2/tasks/archive': (context) => taskOf(context, () => true),
  'POST /api/v2/tasks/extract': (context) => taskOf(context, ({ filename }) => /\.zip$/.test(`${filename}`)),
  'POST /api/v2/tasks/media-metadata': (context) => taskOf(context, isPng),
  'POST /api/v2/tasks/{id}/retry': ({ known, role }) =>
    known.use(
      'task',
      role,
      ({ id }) => ({ path: { id: `${id}` } }),
      ({ status }) => status === 'FAILED',
    ),

  'POST /api/v2/shares': ({ known, role, random }) =>
    known.use(
      'entry',
      role,
      ({ id }) =>
        json({
          fileId: id,
          ...(random.chance(30) ? { password: PASSWORD } : {}),
          ...(random.chance(30) ? { expiresAt: '2101-01-01T00:00:00Z', maxDownloads: 1_000 } : {}),
        }),
      isFile,
    ),
  'GET /api/v2/shares/{token}/thumbnail': (context) => shareThumbnail(context),
  'HEAD /api/v2/shares/{token}/thumbnail': (context) => shareThumbnail(context),
  'POST /api/v2/shares/{token}/import': ({ known, role, random }) =>
    known.use('share', role, ({ token }) => ({
      path: { token: `${token}` },
      ...json({ path: `/import-${random.word()}`, password: PASSWORD }),
    })),
  'POST /api/v2/folder-links': ({ known, role, random }) => {
    const directory = known.find('entry', role, (value) => value.directory === true);
    return json({
      directoryId: random.chance(50) ? null : (directory?.id ?? null),
      mode: random.pick(['VIEW', 'UPLOAD', 'BOTH']),
      ...(random.chance(20) ? { password: PASSWORD } : {}),
      ...(random.chance(30) ? { expiresAt: '2101-01-01T00:00:00Z', maxFiles: 1_000 } : {}),
    });
  },
  'POST /api/v2/folder-links/{token}/uploads': ({ known, role, random }) => ({
    ...onLink(known, role, takesFiles),
    ...form(CONTENT, `${random.word()}.txt`, 'text/plain'),
  }),
  'GET /api/v2/folder-links/{token}/entries': ({ known, role }) => onLink(known, role, showsFiles, []),
  'HEAD /api/v2/folder-links/{token}/entries': ({ known, role }) => onLink(known, role, showsFiles, []),
  'GET /api/v2/folder-links/{token}/download': ({ known, role }) =>
    onLink(known, role, showsFiles, [['path', '/']]),
  'HEAD /api/v2/folder-links/{token}/download': ({ known, role }) =>
    onLink(known, role, showsFiles, [['path', '/']]),
  'POST /api/v2/folder-links/{token}/downloads': ({ known, role }) => ({
    ...onLink(known, role, showsFiles),
    ...json({ paths: ['/'] }),
  }),
  'GET /api/v2/folder-links/{token}/downloads': ({ known, role }) => linkDownload(known, role),
  'HEAD /api/v2/folder-links/{token}/downloads': ({ known, role }) => linkDownload(known, role),
  'GET /api/v2/folder-links/{token}/thumbnail': (context) => linkThumbnail(context),
  'HEAD /api/v2/folder-links/{token}/thumbnail': (context) => linkThumbnail(context),
  'POST /api/v2/folder-links/{token}/import': ({ known, role, random }) => ({
    ...onLink(known, role, showsFiles),
    ...json({ path: '/', targetPath: `/import-${random.word()}` }),
  }),
  'POST /api/files/share-links/{token}/import': ({ known, role, random }) =>
    known.use('link', role, ({ token }) => ({
      path: { token: `${token}` },
      ...json({ path: `/import-${random.word()}` }),
    })),

  'POST /api/transfer/sessions': ({ role, random }) =>
    json({
      mode: role === 'anonymous' || random.chance(50) ? 'ONLINE' : 'OFFLINE',
      ...(random.chance(20) ? ENCRYPTED : plainFile(random)),
    }),
  'GET /api/transfer/sessions/lookup': ({ known, role }) =>
    known.use('transfer', role, ({ pickupCode }) => ({ query: [['pickupCode', `${pickupCode}`]] })),
  'POST /api/transfer/sessions/{sessionId}/signals': ({ known, role, random }) =>
    known.use(
      'transfer',
      role,
      ({ sessionId, peerToken }) => ({
        path: { sessionId: `${sessionId}` },
        query: [['role', 'sender']],
        headers: peerToken === undefined ? [] : [['x-transfer-token', `${peerToken}`]],
        ...json({ type: 'offer', payload: { text: random.word() } }),
      }),
      ({ mode }) => mode === 'ONLINE',
    ),
  'GET /api/transfer/sessions/{sessionId}/signals': ({ known, role }) => signals(known, role),
  'HEAD /api/transfer/sessions/{sessionId}/signals': ({ known, role }) => signals(known, role),
  'POST /api/transfer/sessions/{sessionId}/files/{fileId}/content': (context) => ({
    ...transferFile(context, false),
    body: bytes(CONTENT),
  }),
  'POST /api/transfer/sessions/{sessionId}/files/{fileId}/import': (context) => {
    const found = transferFile(context, true);
    return found && { ...found, ...json({ path: `/received-${context.random.word()}` }) };
  },
  'GET /api/transfer/sessions/{sessionId}/files/{fileId}/download': (context) => transferFile(context, true),
  'HEAD /api/transfer/sessions/{sessionId}/files/{fileId}/download': (context) => transferFile(context, true),
  'GET /api/v2/transfer/sessions/{sessionId}/download': (context) => wholeTransfer(context),
  'HEAD /api/v2/transfer/sessions/{sessionId}/download': (context) => wholeTransfer(context),

  'POST /api/admin/storage-policies': ({ random }) => json(policy(random)),
  'PUT /api/admin/storage-policies/{policyId}': ({ known, role, random }) =>
    known.use(
      'policy',
      role,
      ({ id, defaultPolicy: _, ...rest }) => ({
        path: { policyId: `${id}` },
        ...json({ ...rest, name: `policy ${random.word()}` }),
      }),
      ({ defaultPolicy }) => defaultPolicy === false || random.chance(20),
    ),
  'POST /api/admin/storage-policies/migrations': ({ known, role }) => {
    const source = known.find('policy', role, ({ type }) => type === 'LOCAL');
    const target = known.find('policy', role, ({ type, id }) => type === 'LOCAL' && id !== source?.id);
    return source && target && json({ sourcePolicyId: source.id, targetPolicyId: target.id });
  },
  'DELETE /api/admin/users/{userId}': ({ known, role }) =>
    known.use('user', role, ({ id, username }) => ({ path: { userId: `${id}` }, ...json({ username }) })),
  'PATCH /api/admin/users/{userId}/storage-quota': () => json({ storageQuotaBytes: 2 ** 30 }),
  'PATCH /api/admin/users/{userId}/max-upload-size': () => json({ maxUploadSizeBytes: 2 ** 24 }),
};

/** Files that tasks and pictures need, and broken ones, so that tasks fail as well. */
function newFileForm(random: Random): Prepared {
  const name = random.word();
  return random.pick([
    () => form(Buffer.from(random.word(30)), `${name}.txt`, 'text/plain'),
    () => form(PICTURE, `${name}.png`, 'image/png'),
    () => form(ZIP_ARCHIVE, `${name}.zip`, 'application/zip'),
    () => form(random.bytes(40), `${name}.zip`, 'application/zip'),
    () => form(random.bytes(40), `${name}.png`, 'image/png'),
    () => form(Buffer.alloc(0), `${name}.bin`, undefined),
  ])();
}

/** Empty files count against no quota, so most uploads are small and some are empty. */
function announcement(random: Random) {
  return { path: '/', filename: `${random.word()}.txt`, contentType: 'text/plain', size: CONTENT.byteLength };
}

function tusMetadata(random: Random): string {
  return `filename ${Buffer.from(`${random.word()}.txt`).toString('base64')}`;
}

function tus(
  known: KnownValues,
  role: Role,
  headers: Draft['headers'],
  chunk?: Buffer,
): Prepared | undefined {
  return known.use('tus', role, ({ sessionId }) => ({
    path: { sessionId: `${sessionId}` },
    headers,
    ...(chunk === undefined
      ? {}
      : { body: { kind: 'bytes', contentType: undefined, bytes: chunk } as const }),
  }));
}

/** A link without a password, which only a cookie could open. */
/** An archive at a link for which a ticket was given. */
function linkDownload(known: KnownValues, role: Role): Prepared | undefined {
  return known.use('link download', role, ({ token, ticket }) => ({
    path: { token: `${token}` },
    query: [['ticket', `${ticket}`]],
  }));
}

function onLink(
  known: KnownValues,
  role: Role,
  fits: (link: Json) => boolean,
  query?: Draft['query'],
): Prepared | undefined {
  return known.use(
    'folder link',
    role,
    ({ token }) => ({ path: { token: `${token}` }, ...(query === undefined ? {} : { query }) }),
    (link) => link.passwordProtected === false && fits(link),
  );
}

function linkTus(
  known: KnownValues,
  role: Role,
  headers: readonly (readonly [string, string])[],
  chunk?: Buffer,
): Prepared | undefined {
  return known.use('link upload', role, ({ token, sessionId }) => ({
    path: { token: `${token}`, sessionId: `${sessionId}` },
    headers: [...headers],
    ...(chunk === undefined
      ? {}
      : { body: { kind: 'bytes', contentType: undefined, bytes: chunk } as const }),
  }));
}

function transferTus(context: RecipeContext, headers: Draft['headers'] = []): Prepared | undefined {
  const { path } = transferFile(context, false) ?? {};
  if (path === undefined) return undefined;
  return { path: { transferId: `${path.sessionId}`, fileId: `${path.fileId}` }, headers };
}

function transferUpload(
  known: KnownValues,
  role: Role,
  headers: readonly (readonly [string, string])[],
  chunk?: Buffer,
): Prepared | undefined {
  return known.use('transfer upload', role, ({ transferId, fileId, sessionId }) => ({
    path: { transferId: `${transferId}`, fileId: `${fileId}`, sessionId: `${sessionId}` },
    headers: [...headers],
    ...(chunk === undefined
      ? {}
      : { body: { kind: 'bytes', contentType: undefined, bytes: chunk } as const }),
  }));
}

/** A picture below a folder link. */
function linkThumbnail({ known, role }: RecipeContext): Prepared | undefined {
  const link = known.find('folder link', role, (value) => showsFiles(value) && !value.passwordProtected);
  if (link === undefined) return undefined;
  const top = link.directoryPath === '/' ? '' : `${link.directoryPath}`;
  const isBelow = (value: Json) => isPng(value) && `${value.path}`.startsWith(`${top}/`);
  return known.use(
    'entry',
    role,
    ({ path }) => ({
      path: { token: `${link.token}` },
      query: [THUMBNAIL_SIZE, ['path', `${path}`.slice(top.length)]],
    }),
    isBelow,
  );
}

function shareThumbnail({ known, role }: RecipeContext): Prepared | undefined {
  return known.use(
    'share',
    role,
    ({ token }) => ({ path: { token: `${token}` }, query: [THUMBNAIL_SIZE] }),
    ({ shareName, passwordRequired }) => /\.png$/.test(`${shareName}`) && passwordRequired === false,
  );
}

function thumbnail({ known, role }: RecipeContext): Prepared | undefined {
  return known.use(
    'entry',
    role,
    ({ id }) => ({ path: { fileId: `${id}` }, query: [THUMBNAIL_SIZE] }),
    isPng,
  );
}

function onVersion(known: KnownValues, role: Role): Prepared | undefined {
  return known.use('version', role, ({ fileId, versionId }) => ({
    path: { fileId: `${fileId}`, versionId: `${versionId}` },
  }));
}

/** A file of the web client, which its page names. */
function pageFile(known: KnownValues, directory: string): Prepared | undefined {
  return known.use(
    'page file',
    'anonymous',
    ({ url }) => ({ path: { '*': `${url}`.slice(directory.length) } }),
    ({ url }) => `${url}`.startsWith(directory),
  );
}

/** A code of the next step, because that of the present one may have been used, or a recovery code. */
function secondFactorOf({ secret, recoveryCodes }: Json, random: Random): string {
  const codes: readonly unknown[] = Array.isArray(recoveryCodes) ? recoveryCodes : [];
  if (codes.length > 0 && random.chance(50)) return `${random.pick(codes)}`;
  return totpCode(`${secret}`, Date.now() + TOTP_STEP_MS);
}

function totpCode(secret: string, timestamp: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });
}

function signedUrl(url: string): Prepared {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  return { path: { '*': pathname.slice('/_dl/'.length) }, query: [...searchParams] };
}

function signals(known: KnownValues, role: Role): Prepared | undefined {
  return known.use(
    'transfer',
    role,
    ({ sessionId, peerToken }) => ({
      path: { sessionId: `${sessionId}` },
      query: [
        ['role', 'sender'],
        ['waitSeconds', '0'],
      ],
      headers: peerToken === undefined ? [] : [['x-transfer-token', `${peerToken}`]],
    }),
    ({ mode }) => mode === 'ONLINE',
  );
}

function plainFile(random: Random) {
  return {
    files: [{ name: `${random.word()}.txt`, size: CONTENT.byteLength, contentType: 'text/plain' }],
  };
}

function transferFile({ known, role }: RecipeContext, isUploaded: boolean): Prepared | undefined {
  const isReady = (value: Readonly<Record<string, unknown>>) =>
    value.mode === 'OFFLINE' && (value.status === 'READY') === isUploaded;
  return known.use(
    'transfer',
    role,
    ({ sessionId, files }) => {
      const [file] = Array.isArray(files) ? files : [];
      return { path: { sessionId: `${sessionId}`, fileId: `${file?.id}` } };
    },
    isReady,
  );
}

function wholeTransfer({ known, role }: RecipeContext): Prepared | undefined {
  return known.use(
    'transfer',
    role,
    ({ sessionId }) => ({ path: { sessionId: `${sessionId}` } }),
    ({ mode, status }) => mode === 'OFFLINE' && status === 'READY',
  );
}

function taskOf(
  { known, role }: RecipeContext,
  fits: (value: Readonly<Record<string, unknown>>) => boolean,
): Prepared | undefined {
  return known.use('entry', role, ({ id, path }) => json({ fileId: id, path }), fits);
}

/** A local place, or one at a closed port of this machine: no request may leave it. */
function policy(random: Random) {
  const isLocal = random.chance(60);
  return {
    name: `policy ${random.word()}`,
    type: isLocal ? 'LOCAL' : 'S3_COMPATIBLE',
    prefix: random.word(),
    ...(isLocal ? {} : { bucketName: 'bucket', endpoint: 'http://127.0.0.1:1', region: 'us-east-1' }),
    credentialMode: isLocal ? 'NONE' : 'STATIC',
    maxSizeBytes: 2 ** 30,
    capabilities: {},
    enabled: true,
  };
}

function json(value: unknown): { readonly body: DraftBody } {
  return { body: { kind: 'json', value } };
}

function bytes(content: Buffer): DraftBody {
  return { kind: 'bytes', contentType: 'application/octet-stream', bytes: content };
}

function form(
  content: Buffer,
  fileName: string,
  contentType: string | undefined,
): { readonly body: DraftBody } {
  const file = { name: 'file', fileName, content, ...(contentType === undefined ? {} : { contentType }) };
  return { body: { kind: 'form', parts: [file] } };
}

const isPicture = (value: Readonly<Record<string, unknown>>) => !('uploadUrl' in value);
const isAnnounced = (value: Readonly<Record<string, unknown>>) => /\/api\/files\//.test(`${value.uploadUrl}`);
const isOpen = ({ status }: Readonly<Record<string, unknown>>) =>
  status === 'CREATED' || status === 'UPLOADING';
const isPng = ({ filename }: Json) => /\.png$/.test(`${filename}`);
const takesFiles = ({ mode }: Json) => mode !== 'VIEW';
const showsFiles = ({ mode }: Json) => mode !== 'UPLOAD';
const isFile = ({ directory }: Readonly<Record<string, unknown>>) => directory === false;

/** Where the value of a path parameter or member comes from: the first row that matches. */
export const SOURCES: readonly (readonly [url: RegExp, name: RegExp, kind: Kind, member: string])[] = [
  [/\/recycle-bin\//, /^fileId$/, 'recycled', 'id'],
  [/^\/api\/transfer\//, /^sessionId$/, 'transfer', 'sessionId'],
  [/\/upload-sessions\//, /^sessionId$/, 'upload', 'sessionId'],
  [/\/folder-links\/.*\/tus\//, /^sessionId$/, 'link upload', 'sessionId'],
  [/\/transfer\/.*\/tus/, /^transferId$/, 'transfer upload', 'transferId'],
  [/\/transfer\/.*\/tus/, /^fileId$/, 'transfer upload', 'fileId'],
  [/\/transfer\/.*\/tus/, /^sessionId$/, 'transfer upload', 'sessionId'],
  [/\/tus\//, /^sessionId$/, 'tus', 'sessionId'],
  [/\/folder-links\//, /^token$/, 'folder link', 'token'],
  [/\/folder-links\//, /^(id|linkId)$/, 'folder link', 'id'],
  [/\/share-links\//, /^token$/, 'link', 'token'],
  [/\/share-links\//, /^id$/, 'own link', 'id'],
  [/\/user\/app-passwords\//, /^id$/, 'app password', 'id'],
  [/\/user\/sessions\//, /^id$/, 'login session', 'id'],
  [/\/admin\/invites\//, /^id$/, 'admin invite', 'id'],
  [/\/shares\//, /^token$/, 'share', 'token'],
  [/\/shares\//, /^(id|shareId)$/, 'share', 'id'],
  [/\/tasks/, /^(id|taskId)$/, 'task', 'id'],
  [/\/users\//, /^userId$/, 'user', 'id'],
  [/\/storage-policies/, /PolicyId$|^policyId$/, 'policy', 'id'],
  [/\/app\/android\//, /^fileName$/, 'release', 'fileName'],
  [/\/folder-links\/.*\/downloads/, /^ticket$/, 'link download', 'ticket'],
  [/\/downloads/, /^ticket$/, 'download', 'ticket'],
  [/./, /^fileId$/, 'entry', 'id'],
  [/./, /^storageName$/, 'ticket', 'storageName'],
  [/./, /^pickupCode$/, 'transfer', 'pickupCode'],
  [/./, /^refreshToken$/, 'refresh', 'refreshToken'],
  [/./, /^inviteCode$/, 'invite', 'inviteCode'],
  [/./, /^cursor$/, 'cursor', 'nextCursor'],
  [/./, /^objectKey$/, 'blob', 'objectKey'],
];

/** Valid texts by the name of a member or parameter. */
export function textFor(name: string, { random, known, role }: RecipeContext): string | undefined {
  const directory = () => known.find('entry', role, (value) => value.directory === true)?.path;
  if (/^(path|relativePath)$/.test(name)) {
    return random.pick([() => '/', () => `/${random.word()}`, () => `${directory() ?? '/'}`])();
  }
  if (/^(password|currentPassword|oldPassword|newPassword|confirmPassword)$/.test(name)) return PASSWORD;
  if (name === 'email') return `${random.word()}@example.org`;
  if (name === 'phoneNumber') return `+49${random.between(1e8, 9e8)}`;
  if (name === 'preferredLanguage') return random.pick(['en', 'de-AT', 'zh-Hans']);
  if (/^contentType$/.test(name)) return random.pick(['text/plain', 'image/png', 'application/zip']);
  if (/^(created|updated)[GL]te$|^expiresAt$/.test(name))
    return random.pick(['2099-12-31', '2101-01-01T00:00:00Z']);
  if (name === 'type') return random.pick(['file', 'directory', 'offer']);
  if (name === 'endpoint') return 'http://127.0.0.1:1';
  if (name === 'inviteCode') return `invite-${random.word()}`;
  return undefined;
}
