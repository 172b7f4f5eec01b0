// The API reference of the client library, `client/API.md`, made from the compiled declarations.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OPERATIONS } from '../../client/src/generated/operation-list.ts';
import { buildClient } from './build-client.ts';
import { type Declaration, readDeclarations, readMembers } from './declarations.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const DIST = path.join(root, 'client', 'dist');

const REFERENCE = path.join(root, 'client', 'API.md');

interface Section {
  readonly title: string;
  /** Files below `client/dist`, without their extension. */
  readonly files: readonly string[];
}

/** The sections, in the order in which a reader needs them. */
const SECTIONS: readonly Section[] = [
  { title: 'The service', files: ['holdall', 'requests/call-options', 'parts/site'] },
  {
    title: 'Logins',
    files: [
      'parts/auth',
      'requests/credentials',
      'login/token-store',
      'parts/account',
      'parts/second-factor',
      'parts/passkeys',
      'parts/app-passwords',
    ],
  },
  { title: 'Files and directories', files: ['parts/drive', 'parts/bin', 'parts/versions'] },
  { title: 'Shared drives', files: ['parts/drives', 'parts/drive-members'] },
  { title: 'Lists', files: ['pages/page-list', 'shapes/page'] },
  {
    title: 'Uploads',
    files: ['uploads/uploads', 'uploads/tus-upload', 'uploads/upload-source', 'shapes/raw-body'],
  },
  { title: 'Downloads', files: ['downloads/downloads', 'downloads/download', 'downloads/sha256'] },
  { title: 'Events', files: ['events/events', 'events/event-stream'] },
  {
    title: 'Sharing',
    files: ['parts/shares', 'parts/folder-links', 'parts/visited-folder-link', 'parts/share-links'],
  },
  {
    title: 'Quick transfer',
    files: [
      'parts/transfers',
      'transfer/flow/outgoing-file',
      'transfer/flow/store-transfer',
      'transfer/flow/direct-options',
      'transfer/flow/direct-sender',
      'transfer/flow/transfer-event',
      'transfer/flow/transfer-calls',
      'transfer/blocks/file-sink',
      'transfer/session/opened-transfer',
      'transfer/session/pickup-code',
      'transfer/session/safe-paths',
      'transfer/encryption/secret',
      'transfer/encryption/records',
      'transfer/connection/line',
      'transfer/connection/peer-connection',
    ],
  },
  { title: 'Notifications', files: ['parts/notifications'] },
  { title: 'Tasks and releases', files: ['parts/tasks', 'parts/releases'] },
  {
    title: 'Administration',
    files: ['parts/admin', 'parts/admin-users', 'parts/admin-content', 'parts/admin-drives'],
  },
  { title: 'Errors', files: ['errors/errors', 'errors/read-error'] },
  { title: 'Any operation by its name', files: ['requests/operation-types'] },
  {
    title: '`@holdall/client/node`',
    files: [
      'node/open-upload',
      'node/save-file',
      'node/save-download',
      'node/lock-file',
      'node/sync-directory',
      'node/file-token-store',
      'node/secret-file',
      'node/native-sha256',
      'node/http-fetch',
      'node/connect-with',
    ],
  },
];

/** Compiles the library and writes its reference. Returns the text. */
export function writeReference(): string {
  buildClient();
  const exported = new Set([...listExports('client'), ...listExports('node/files')]);
  const sections = SECTIONS.map(({ title, files }) => {
    const found = files.flatMap((file) => read(file).filter(({ name }) => exported.has(name)));
    return `## ${title}\n\n${found.map(describe).join('\n')}`;
  });
  const records = read('generated/records').map(({ comment, text }) => toCode(comment, text));
  const text = [
    '# Reference of @holdall/client\n',
    'Made by `npm run build` from the comments in the source. [README.md](README.md) is the introduction.\n',
    ...sections,
    '## Records\n',
    'What the service takes and answers. Instants are ISO-8601 in UTC; sizes are bytes.\n',
    `\`\`\`ts\n${records.join('\n')}\`\`\`\n`,
    '## Operations\n',
    'What `request` and `fetch` take as a name, who may call it, and what an app password needs for it.\n',
    writeOperations(),
  ].join('\n');
  writeFileSync(REFERENCE, text);
  return text;
}

/** The names that an entry point exports. */
export function listExports(entry: string): readonly string[] {
  const text = readFileSync(path.join(DIST, `${entry}.d.ts`), 'utf8');
  const named = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/^\s*type /, '').trim()),
  );
  const whole = [...text.matchAll(/export (?:type )?\* from '\.\/([^']*)\.js'/g)].flatMap(([, file = '']) =>
    read(file).map(({ name }) => name),
  );
  return [...named, ...whole].filter((name) => name !== '');
}

/** The names that the reference describes. */
export function listDescribed(): readonly string[] {
  const files = [...SECTIONS.flatMap((section) => section.files), 'generated/records'];
  return files.flatMap((file) => read(file).map(({ name }) => name));
}

function read(file: string): readonly Declaration[] {
  return readDeclarations(readFileSync(path.join(DIST, `${file}.d.ts`), 'utf8'));
}

function describe(declaration: Declaration): string {
  const { name, kind, comment, text } = declaration;
  const head = `### ${name}\n\n${toProse(comment)}`;
  if (kind !== 'class' && kind !== 'interface') return `${head}\`\`\`ts\n${text}\n\`\`\`\n`;
  const members = readMembers(declaration).filter(({ signature }) => isForReaders(signature));
  const base = /^class \w+ (?:extends (\w+) )?/.exec(text)?.[1];
  const inherits = base === undefined ? '' : `A \`${base}\`.\n\n`;
  return `${head}${inherits}${members.map(describeMember).join('\n')}\n`;
}

/** Excludes constructors that only the library calls. */
function isForReaders(signature: string): boolean {
  return (
    signature !== '#private' && !(signature.startsWith('constructor') && signature.includes('Requester'))
  );
}

function describeMember({ comment, signature }: { comment: string; signature: string }): string {
  const prose = toProse(comment).trim().replaceAll('\n', '\n  ');
  return `- \`${signature.replace(/^readonly /, '')}\`${prose === '' ? '' : `  \n  ${prose}`}\n`;
}

/** The text of a comment, with its tags as sentences. */
function toProse(comment: string): string {
  if (comment === '') return '';
  const text = comment
    .replaceAll(/\s*@throws /g, '\n\nThrows: ')
    .replaceAll(/\s*@returns /g, '\n\nReturns: ')
    .replaceAll(/\s*@param (\S+) /g, '\n\n`$1`: ')
    .trim();
  return `${text}\n\n`;
}

function toCode(comment: string, text: string): string {
  return comment === '' ? `${text}\n` : `/** ${comment} */\n${text}\n`;
}

function writeOperations(): string {
  const rows = Object.entries(OPERATIONS).map(
    ([name, { answer, access, appPassword }]) => `| \`${name}\` | ${answer} | ${access} | ${appPassword} |`,
  );
  return `| operation | answer | who | app password |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}
