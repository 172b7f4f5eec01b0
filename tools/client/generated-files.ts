// The files of `client/src/generated`, made from the routes and schemas of a service started for this
// purpose.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApp } from '../../server/src/app/app.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { codeOf, ERROR_KINDS, type ErrorKind, statusOf } from '../../server/src/http/errors/error-codes.ts';
import {
  type ApiDocument,
  listOperations,
  type Operation,
  toOperationFacts,
  toOperationType,
} from './operations.ts';
import { type NamedRecord, readRecords } from './record-names.ts';
import { type FindName, type JsonSchema, shapeOf, toMembers } from './schema-types.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const FOLDER = 'client/src/generated';
const HEAD = '// Made by `npm run client` from the schemas of the server. Do not edit.\n';

/** Maps each path below the root of the repository to the text that the file must have. */
export async function generateFiles(): Promise<ReadonlyMap<string, string>> {
  const [records, operations] = [await readRecords(), await readOperations()];
  const names = new Map(records.map(({ name, schema }) => [shapeOf(schema), name]));
  const findName: FindName = (schema) => names.get(shapeOf(schema));
  const types = operations.map((operation) => toOperationType(operation, findName));
  const used = findUsed(records, types.join('\n'), findName);
  return new Map([
    [`${FOLDER}/error-kinds.ts`, format(writeErrorKinds())],
    [`${FOLDER}/operation-list.ts`, format(writeOperationList(operations))],
    [`${FOLDER}/operations.ts`, format(writeOperations(types, used))],
    [`${FOLDER}/records.ts`, format(writeRecords(used, findName))],
  ]);
}

async function readOperations(): Promise<readonly Operation[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdall-client-'));
  const config = readConfig({
    HOLDALL_PORT: '0',
    HOLDALL_DATA_DIR: dataDir,
    HOLDALL_LOG_LEVEL: 'fatal',
    // The dev login route exists only if it is enabled.
    HOLDALL_DEV_LOGIN: 'true',
    HOLDALL_ADMIN_PASSWORD: 'not used by anybody',
  });
  const app = await createApp(config);
  try {
    const document: ApiDocument = (await app.server.inject('/api/openapi.json')).json();
    return listOperations(document, app.server.listMountedRoutes());
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The records that operations use, directly or as parts of other records. */
function findUsed(records: readonly NamedRecord[], text: string, findName: FindName): readonly NamedRecord[] {
  const used = new Set<NamedRecord>();
  const visit = (types: string) => {
    for (const record of records) {
      if (used.has(record) || !new RegExp(`\\b${record.name}\\b`).test(types)) continue;
      used.add(record);
      visit(toMembers(record.schema, findName));
    }
  };
  visit(text);
  return records.filter((record) => used.has(record));
}

function writeRecords(records: readonly NamedRecord[], findName: FindName): string {
  const types = records.map(
    ({ name, schema }) =>
      `${toComment(schema)}export interface ${name} {\n${toMembers(schema, findName)}\n}\n`,
  );
  return `${HEAD}\n${types.join('\n')}`;
}

function toComment({ description }: JsonSchema): string {
  return description === undefined ? '' : `/** ${description} */\n`;
}

function writeOperations(types: readonly string[], records: readonly NamedRecord[]): string {
  const text = types.join('\n');
  const imported = records.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `${HEAD}import type { Page } from '../shapes/page.ts';
import type { RawBody } from '../shapes/raw-body.ts';
import type { ${imported.join(', ')} } from './records.ts';

/** The input of an operation that takes nothing. */
export type NoInput = Readonly<Record<never, never>>;

/** Every operation of the service: what it takes, and the \`data\` of its answer if it is an envelope. */
export interface Operations {
${text}
}
`;
}

function writeOperationList(operations: readonly Operation[]): string {
  return `${HEAD}
/**
 * Every operation of the service: what a success answers, who may call it, and what an app password needs for
 * it (\`read\`, \`write\`, or \`never\`).
 */
export const OPERATIONS = {
${operations.map(toOperationFacts).join('\n')}
} as const;
`;
}

function writeErrorKinds(): string {
  const rows = ERROR_KINDS.map((kind: ErrorKind) => {
    const codes = `legacy: ${codeOf(kind, 'legacy')}, v2: ${codeOf(kind, 'v2')}`;
    return `'${kind}': { status: ${statusOf(kind)}, ${codes} },`;
  });
  return `${HEAD}
/** The HTTP status of each kind of error, and its code in both families of addresses. */
export const ERROR_KINDS = {
${rows.join('\n')}
} as const;
`;
}

function format(text: string): string {
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [biome, 'check', '--write', '--stdin-file-path', `${FOLDER}/text.ts`],
    { cwd: root, input: text, encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  if (status !== 0) throw new Error(`The generated text is not valid.\n${stderr}\n${text.slice(0, 2_000)}`);
  return stdout;
}
