// The type names for requests and responses. They are the names of the schemas in the server's `contract.ts`
// files, as exported by `server/src/app/contract.ts`.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type JsonSchema, shapeOf } from './schema-types.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const CLIENT_TYPES = 'server/src/app/contract.ts';

export interface NamedRecord {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Reads the object schemas of all contracts, sorted by name. Each shape has one name. */
export async function readRecords(): Promise<readonly NamedRecord[]> {
  const renamed = readRenamed();
  const files = [...globSync('server/src/**/contract.ts', { cwd: root }), 'server/src/http/fields.ts'].sort();
  const found: (NamedRecord & { readonly isPublic: boolean })[] = [];
  for (const file of files) {
    if (file === CLIENT_TYPES) continue;
    const exported: Record<string, unknown> = await import(path.join(root, file));
    for (const [name, schema] of Object.entries(exported)) {
      if (!isObjectSchema(schema) || /(?:Query|Params|Headers)$/.test(name)) continue;
      const publicName = renamed.get(`${file}#${name}`);
      found.push({ name: publicName ?? name, schema, isPublic: publicName !== undefined });
    }
  }
  const counts = Map.groupBy(found, ({ name }) => name);
  const unique = found.filter(({ name, isPublic }) => isPublic || counts.get(name)?.length === 1);
  unique.sort(
    (one, other) => Number(other.isPublic) - Number(one.isPublic) || (one.name < other.name ? -1 : 1),
  );
  const byShape = new Map<string, NamedRecord>();
  for (const { name, schema } of unique) {
    const shape = shapeOf(schema);
    if (!byShape.has(shape)) byShape.set(shape, { name, schema });
  }
  return [...byShape.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Maps `file#export` to the type's public name. */
function readRenamed(): ReadonlyMap<string, string> {
  const text = readFileSync(path.join(root, CLIENT_TYPES), 'utf8');
  const renamed = new Map<string, string>();
  for (const [, names = '', from = ''] of text.matchAll(/export type \{([^}]*)\} from '([^']+)'/g)) {
    const file = path.posix.join(path.posix.dirname(CLIENT_TYPES), from);
    for (const part of names.split(',').map((one) => one.trim())) {
      const [name, alias = name] = part.split(' as ');
      if (name !== undefined && alias !== undefined && name !== '') renamed.set(`${file}#${name}`, alias);
    }
  }
  return renamed;
}

function isObjectSchema(value: unknown): value is JsonSchema {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('properties' in value))
    return false;
  return value.type === 'object' && Object.keys(Object(value.properties)).length > 0;
}
