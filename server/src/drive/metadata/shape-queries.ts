import { sql } from 'kysely';
import { CompiledForIds } from '../../database/compiled-for-ids.ts';
import type { Db } from '../../database/database.ts';

/** How a picture or video appears on a screen. Values are null if they are not known. */
export interface MediaShape {
  /** In pixels, after the picture has been turned as its orientation says. */
  readonly width: number | null;
  readonly height: number | null;
  /** The length of a video in seconds. */
  readonly duration: number | null;
}

export const UNKNOWN_SHAPE: MediaShape = { width: null, height: null, duration: null };

/** From this EXIF orientation on, a picture is turned by a quarter, which swaps its sides. */
const FIRST_TURNED = 5;

/** The shapes of files, by id. Leaves out files without metadata. */
export async function findShapes(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, MediaShape>> {
  const found = new Map<number, Record<string, number>>();
  for (const { id, name, value } of await SHAPES.findAll(db, {}, ids)) {
    const values = found.get(id) ?? {};
    values[name] = Number(value);
    found.set(id, values);
  }
  return new Map([...found].map(([id, values]) => [id, toShape(values)]));
}

function toShape(values: Readonly<Record<string, number>>): MediaShape {
  const sides = [values['media:width'] ?? null, values['media:height'] ?? null] as const;
  const isTurned = (values['media:orientation'] ?? 1) >= FIRST_TURNED;
  const [width, height] = isTurned ? [sides[1], sides[0]] : sides;
  return { width, height, duration: values['media:duration'] ?? null };
}

const SHAPES = new CompiledForIds<object, { id: number; name: string; value: string }>((db, _value, ids) =>
  db
    .selectFrom('entry_metadata')
    .select(['entry_id as id', 'name', 'value'])
    .where('name', 'in', ['media:width', 'media:height', 'media:orientation', 'media:duration'])
    .where(sql<boolean>`entry_id in (${ids})`)
    .compile(),
);
