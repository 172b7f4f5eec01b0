// Decides which values from earlier responses replace those in example requests.
import { EXAMPLE } from '../../../server/src/http/examples.ts';
import type { Role } from './draft.ts';
import type { Json, Kind, KnownValues } from './known-values.ts';
import type { Random } from './random.ts';

/** Members of a known value, such as `files.0.id`, and the example values that they replace. */
type Source = readonly [
  kind: Kind,
  members: Readonly<Record<string, string | number>>,
  fits?: (value: Json) => boolean,
];

const isFile = ({ directory }: Json) => directory === false;
const isDirectory = ({ directory }: Json) => directory === true;
const isPng = ({ filename }: Json) => /\.png$/.test(`${filename}`);
const isZip = ({ filename }: Json) => /\.zip$/.test(`${filename}`);
const isPicture = (value: Json) => !('uploadUrl' in value);
const isAnnounced = ({ uploadUrl }: Json) => /\/api\/files\//.test(`${uploadUrl}`);
const isOpen = ({ status }: Json) => status === 'CREATED' || status === 'UPLOADING';
const isFailed = ({ status }: Json) => status === 'FAILED';
const isOnline = ({ mode }: Json) => mode === 'ONLINE';
const isAwaited = ({ mode, status }: Json) => mode === 'OFFLINE' && status !== 'READY';
const isReady = ({ mode, status }: Json) => mode === 'OFFLINE' && status === 'READY';
const isLocal = ({ type }: Json) => type === 'LOCAL';
/** Only shares without a password: others would need a cookie. */
const isPlainShare = ({ passwordRequired }: Json) => passwordRequired !== true;
const isPlainLink = ({ mode, passwordProtected }: Json) => mode === 'BOTH' && passwordProtected === false;

/** The first source whose values all occur in an example is used. */
const SOURCES: readonly Source[] = [
  ['version', { fileId: EXAMPLE.file, versionId: EXAMPLE.version }],
  ['entry', { id: EXAMPLE.file, path: EXAMPLE.filePath }, isFile],
  ['entry', { id: EXAMPLE.picture, path: EXAMPLE.picturePath }, isPng],
  ['entry', { id: EXAMPLE.zip, path: EXAMPLE.zipPath }, isZip],
  ['entry', { id: EXAMPLE.file }, isFile],
  ['entry', { id: EXAMPLE.directory }, isDirectory],
  ['entry', { id: EXAMPLE.picture }, isPng],
  ['entry', { id: EXAMPLE.zip }, isZip],
  ['recycled', { id: EXAMPLE.recycled }],

  ['ticket', { storageName: EXAMPLE.announced }, isAnnounced],
  ['filled', { storageName: EXAMPLE.stored }],
  ['ticket', { storageName: EXAMPLE.announcedAvatar }, isPicture],
  ['ticket', { storageName: EXAMPLE.storedAvatar }, isPicture],
  ['upload', { sessionId: EXAMPLE.uploadSession }, isOpen],
  ['filled session', { sessionId: EXAMPLE.filledSession }],
  ['tus', { sessionId: EXAMPLE.tusUpload }],
  ['download', { ticket: EXAMPLE.download }],

  ['share', { id: EXAMPLE.share }],
  ['share', { token: EXAMPLE.shareToken }, isPlainShare],
  ['own link', { id: EXAMPLE.shareLink }],
  ['link', { token: EXAMPLE.shareLinkToken }],
  ['folder link', { id: EXAMPLE.folderLink }],
  ['link upload', { token: EXAMPLE.folderLinkToken, sessionId: EXAMPLE.folderLinkUpload }],
  ['link download', { token: EXAMPLE.folderLinkToken, ticket: EXAMPLE.folderLinkDownload }],
  ['folder link', { token: EXAMPLE.folderLinkToken }, isPlainLink],

  ['transfer', { sessionId: EXAMPLE.transfer, peerToken: EXAMPLE.senderToken }, isOnline],
  ['joined', { sessionId: EXAMPLE.transfer, peerToken: EXAMPLE.receiverToken }],
  ['transfer', { sessionId: EXAMPLE.transfer }, isOnline],
  ['transfer', { pickupCode: EXAMPLE.pickupCode }],
  [
    'transfer upload',
    { transferId: EXAMPLE.awaitedTransfer, fileId: EXAMPLE.awaitedFile, sessionId: EXAMPLE.transferUpload },
  ],
  ['transfer', { sessionId: EXAMPLE.awaitedTransfer, 'files.0.id': EXAMPLE.awaitedFile }, isAwaited],
  ['transfer', { sessionId: EXAMPLE.storedTransfer, 'files.0.id': EXAMPLE.storedFile }, isReady],
  ['transfer', { sessionId: EXAMPLE.storedTransfer }, isReady],

  ['task', { id: EXAMPLE.failedTask }, isFailed],
  ['task', { id: EXAMPLE.task }],
  ['user', { id: EXAMPLE.user, username: EXAMPLE.username }],
  ['registered', { username: EXAMPLE.username }],
  ['user', { username: EXAMPLE.colleague }],
  ['drive', { id: EXAMPLE.drive, name: EXAMPLE.driveName }],
  ['drive', { id: EXAMPLE.drive }],
  ['deleted drive', { id: EXAMPLE.deletedDrive }],
  ['user', { id: EXAMPLE.user }],
  ['member', { accountId: EXAMPLE.member }],
  ['user', { username: EXAMPLE.otherUsername }],
  ['login session', { id: EXAMPLE.loginSession }],
  ['login session', { id: EXAMPLE.device }],
  ['app password', { id: EXAMPLE.appPassword }],
  ['notification', { id: EXAMPLE.notification }],
  ['refresh', { refreshToken: EXAMPLE.refreshToken }],
  ['invite', { inviteCode: EXAMPLE.inviteCode }],
  ['admin invite', { id: EXAMPLE.invite }],
  ['policy', { id: EXAMPLE.policy }, isLocal],
  ['policy', { id: EXAMPLE.otherPolicy }, isLocal],
  ['release', { fileName: EXAMPLE.release }],
];

/** Values that must not be taken yet. */
const NEW_VALUES = new Map<unknown, (random: Random) => string>([
  [EXAMPLE.newUsername, (random) => `fuzz-${random.word()}`],
  [EXAMPLE.newEmail, (random) => `${random.word()}@example.org`],
  [EXAMPLE.newPhoneNumber, (random) => `+${random.between(1e9, 9e9)}${random.below(1e6)}`],
  [EXAMPLE.newInviteCode, (random) => `invite-${random.word()}`],
]);

/** The placeholder values in examples. */
export const EXAMPLE_VALUES: ReadonlySet<unknown> = new Set(Object.values(EXAMPLE));

/** The replacements for the values of an example. Values without a known replacement are missing. */
export function replacementsFor(
  example: unknown,
  role: Role,
  { known, random }: { readonly known: KnownValues; readonly random: Random },
): ReadonlyMap<unknown, unknown> {
  const found = new Map<unknown, unknown>();
  const open = valuesIn(example);
  for (const [kind, members, fits] of SOURCES) {
    const wanted = Object.values(members);
    if (!wanted.every((value) => open.has(value))) continue;
    for (const value of wanted) open.delete(value);
    const source = known.use(kind, role, (one) => one, fits);
    if (source === undefined) continue;
    for (const [member, value] of Object.entries(members)) found.set(value, valueAt(source, member) ?? value);
  }
  for (const value of open) {
    const make = NEW_VALUES.get(value);
    if (make !== undefined) found.set(value, make(random));
  }
  return found;
}

function valuesIn(value: unknown): Set<unknown> {
  if (EXAMPLE_VALUES.has(value)) return new Set([value]);
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.values(value).flatMap((member) => [...valuesIn(member)]));
}

function valueAt(source: unknown, member: string): unknown {
  let value = source;
  for (const name of member.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = new Map<string, unknown>(Object.entries(value)).get(name);
  }
  return value;
}
