// Valid requests for the few operations whose examples are not enough: computed codes, several kinds of
// files, and routes that are not API operations.
import { Secret, TOTP } from 'otpauth';
import { EXAMPLE } from '../../../server/src/http/examples.ts';
import type { Draft, DraftBody, Role } from './draft.ts';
import type { Json, KnownValues } from './known-values.ts';
import type { Random } from './random.ts';
import { PICTURE, ZIP_ARCHIVE } from './sample-files.ts';

interface RecipeContext {
  readonly role: Role;
  readonly random: Random;
  readonly known: KnownValues;
}

type Prepared = Partial<Pick<Draft, 'path' | 'query' | 'headers' | 'body'>>;
type Recipe = (context: RecipeContext) => Prepared | undefined;

/** With the size of an empty file's ciphertext. */
const ENCRYPTED = {
  encrypted: true,
  salt: 'AAECAwQFBgcICQoLDA0ODw',
  files: [{ name: 'file-0', size: EXAMPLE.content.length, encryptedName: 'n'.repeat(80) }],
};

const TOTP_STEP_MS = 30_000;

const THUMBNAIL_SIZE = ['size', '256'] as const;

export const RECIPES: Readonly<Record<string, Recipe>> = {
  'POST /api/auth/dev-login': ({ random }) => ({
    body: undefined,
    query: [
      ['username', `dev-${random.below(30)}`],
      ['role', 'USER'],
    ],
  }),
  'POST /api/auth/second-factor': ({ known, role, random }) =>
    known.use('unfinished login', role, ({ ticket, username }) => {
      const app = known.find('authenticator', role, (value) => value.username === username);
      return app && json({ ticket, code: secondFactorOf(app, random) });
    }),
  'POST /api/user/totp/confirm': ({ known, role }) => {
    const totp = known.findNewest('totp', role);
    return totp && json({ code: totpCode(`${totp.secret}`, Date.now()) });
  },
  'POST /api/user/password': ({ random }) => {
    const [currentPassword, newPassword] = random.chance(50)
      ? [EXAMPLE.password, EXAMPLE.newPassword]
      : [EXAMPLE.newPassword, EXAMPLE.password];
    return json({ currentPassword, newPassword });
  },
  'POST /api/user/avatar/upload': () => ({ ...form(PICTURE, 'me.png', 'image/png'), query: [] }),
  'POST /api/admin/settings/instance/logo': () => form(PICTURE, 'logo.png', 'image/png'),
  'POST /api/files/upload': ({ random }) => ({ ...newFileForm(random), query: [] }),
  'GET /_dl/*': ({ known, role }) => known.use('url', role, ({ url }) => signedUrl(`${url}`)),
  'GET /assets/*': ({ known }) => pageFile(known, '/assets/'),
  'GET /web/*': ({ known }) => pageFile(known, '/web/'),
  'GET /api/v2/shares/{token}/thumbnail': (context) => shareThumbnail(context),
  'POST /api/v2/folder-links': ({ known, role, random }) => {
    const directory = known.find('entry', role, (value) => value.directory === true);
    return json({
      directoryId: random.chance(50) ? null : (directory?.id ?? null),
      mode: random.pick(['VIEW', 'UPLOAD', 'BOTH']),
      ...(random.chance(20) ? { password: EXAMPLE.password } : {}),
      ...(random.chance(30) ? { expiresAt: '2101-01-01T00:00:00Z', maxFiles: 1_000 } : {}),
    });
  },
  'GET /api/v2/folder-links/{token}/thumbnail': (context) => linkThumbnail(context),
  'POST /api/transfer/sessions': ({ role, random }) =>
    json({
      mode: role === 'anonymous' || random.chance(50) ? 'ONLINE' : 'OFFLINE',
      ...(random.chance(20) ? ENCRYPTED : plainFile(random)),
    }),
  'GET /api/v2/drives': ({ random }) => ({ query: [['deleted', String(random.chance(50))]] }),
  'POST /api/v2/drives': ({ known, role, random }) => {
    const directory = known.find('entry', role, (value) => value.directory === true);
    const person = known.find('registered', role, () => random.chance(50));
    return json({
      name: `drive-${random.word()}`,
      ...(person === undefined ? {} : { members: [{ username: person.username, role: 'EDITOR' }] }),
      ...(directory !== undefined && random.chance(30) ? { fromFileId: directory.id } : {}),
    });
  },
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
};

/** Files for tasks and pictures, and broken ones, so that tasks also fail. */
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

/** The thumbnail of a picture below a folder link. */
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

/** A file of the web client that a page refers to. */
function pageFile(known: KnownValues, directory: string): Prepared | undefined {
  return known.use(
    'page file',
    'anonymous',
    ({ url }) => ({ path: { '*': `${url}`.slice(directory.length) } }),
    ({ url }) => `${url}`.startsWith(directory),
  );
}

/** A recovery code, or the code of the next time step, because that of the current one may have been used. */
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

function plainFile(random: Random) {
  return {
    files: [{ name: `${random.word()}.txt`, size: EXAMPLE.content.length, contentType: 'text/plain' }],
  };
}

/** A local storage policy, or one at a closed port of this machine: no request may leave the machine. */
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

function form(
  content: Buffer,
  fileName: string,
  contentType: string | undefined,
): { readonly body: DraftBody } {
  const file = { name: 'file', fileName, content, ...(contentType === undefined ? {} : { contentType }) };
  return { body: { kind: 'form', parts: [file] } };
}

const isPng = ({ filename }: Json) => /\.png$/.test(`${filename}`);
const showsFiles = ({ mode }: Json) => mode !== 'UPLOAD';

/** A valid text for the name of a member, parameter or header. */
export function textFor(name: string, { random, known, role }: RecipeContext): string | undefined {
  const found = (value: unknown) => (typeof value === 'string' ? value : undefined);
  if (name === 'filename') return `${random.word()}.txt`;
  if (name === 'upload-metadata') return `filename ${Buffer.from(`${random.word()}.txt`).toString('base64')}`;
  if (name === 'cursor') return found(known.find('cursor', role)?.nextCursor);
  if (name === 'objectKey') return found(known.find('blob', role)?.objectKey);
  const directory = () => known.find('entry', role, (value) => value.directory === true)?.path;
  if (/^(path|relativePath)$/.test(name)) {
    return random.pick([() => '/', () => `/${random.word()}`, () => `${directory() ?? '/'}`])();
  }
  if (/^(password|currentPassword|oldPassword|newPassword|confirmPassword)$/.test(name))
    return EXAMPLE.password;
  if (name === 'email') return `${random.word()}@example.org`;
  if (name === 'phoneNumber') return `+49${random.between(1e8, 9e8)}`;
  if (name === 'preferredLanguage') return random.pick(['en', 'de-AT', 'zh-Hans']);
  if (/^contentType$/.test(name)) return random.pick(['text/plain', 'image/png', 'application/zip']);
  if (/^(created|updated)[GL]te$|^expiresAt$/.test(name))
    return random.pick(['2099-12-31', '2101-01-01T00:00:00Z']);
  if (name === 'type') return random.pick(['file', 'directory', 'offer']);
  if (name === 'endpoint') return 'http://127.0.0.1:1';
  return undefined;
}
