import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a forged archive. Omitted fields get correct values. */
export interface ForgedEntry {
  readonly name: string | Buffer;
  readonly content?: string | Uint8Array;
  readonly isDeflated?: boolean;
  /** Flags of both headers. */
  readonly flags?: number;
  readonly method?: number;
  /** The values in both headers, regardless of the content. */
  readonly crc32?: number;
  readonly size?: number;
  readonly packedSize?: number;
  /** The bytes in the archive, regardless of the content. */
  readonly packed?: Uint8Array;
  readonly madeBy?: number;
  readonly attributes?: number;
  readonly extra?: Uint8Array;
  /** Different values in the local header. */
  readonly local?: {
    readonly name?: string;
    readonly crc32?: number;
    readonly size?: number;
    readonly flags?: number;
  };
  /** The offset of the local header that the central header declares. */
  readonly offset?: number;
}

export interface ForgedEnd {
  /** Bytes before the first entry. */
  readonly prefix?: Uint8Array;
  readonly entryCount?: number;
  readonly disk?: number;
  readonly directoryOffset?: number;
}

const IS_UTF8 = 1 << 11;
const UNIX = 3 << 8;

/** Builds an archive byte by byte. Every field can have a wrong value. */
export function forgeZip(entries: readonly ForgedEntry[], end: ForgedEnd = {}): Buffer {
  const pieces: Uint8Array[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  const push = (bytes: Uint8Array) => {
    pieces.push(bytes);
    offset += bytes.byteLength;
  };
  if (end.prefix !== undefined) push(end.prefix);
  for (const entry of entries) {
    const facts = toFacts(entry);
    directory.push(centralHeader(entry, facts, offset));
    push(localHeader(entry, facts));
    push(facts.packed);
  }
  const directoryOffset = offset;
  for (const header of directory) push(header);
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(end.disk ?? 0, 4);
  record.writeUInt16LE(end.disk ?? 0, 6);
  record.writeUInt16LE(end.entryCount ?? entries.length, 8);
  record.writeUInt16LE(end.entryCount ?? entries.length, 10);
  record.writeUInt32LE(offset - directoryOffset, 12);
  record.writeUInt32LE(end.directoryOffset ?? directoryOffset, 16);
  push(record);
  return Buffer.concat(pieces);
}

function toFacts(entry: ForgedEntry) {
  const content = Buffer.from(entry.content ?? '');
  const packed = entry.packed ?? (entry.isDeflated === true ? deflateRawSync(content) : content);
  return {
    name: Buffer.from(entry.name),
    packed,
    flags: entry.flags ?? (typeof entry.name === 'string' ? IS_UTF8 : 0),
    method: entry.method ?? (entry.isDeflated === true ? 8 : 0),
    crc32: entry.crc32 ?? crc32(content),
    size: entry.size ?? content.byteLength,
    packedSize: entry.packedSize ?? packed.byteLength,
    extra: Buffer.from(entry.extra ?? []),
  };
}

type Facts = ReturnType<typeof toFacts>;

function localHeader({ local = {} }: ForgedEntry, facts: Facts): Buffer {
  const name = local.name === undefined ? facts.name : Buffer.from(local.name);
  const record = Buffer.alloc(30);
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(20, 4);
  record.writeUInt16LE(local.flags ?? facts.flags, 6);
  record.writeUInt16LE(facts.method, 8);
  record.writeUInt32LE(local.crc32 ?? facts.crc32, 14);
  record.writeUInt32LE(facts.packedSize, 18);
  record.writeUInt32LE(local.size ?? facts.size, 22);
  record.writeUInt16LE(name.byteLength, 26);
  record.writeUInt16LE(facts.extra.byteLength, 28);
  return Buffer.concat([record, name, facts.extra]);
}

function centralHeader(entry: ForgedEntry, facts: Facts, offset: number): Buffer {
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(entry.madeBy ?? UNIX | 20, 4);
  record.writeUInt16LE(20, 6);
  record.writeUInt16LE(facts.flags, 8);
  record.writeUInt16LE(facts.method, 10);
  record.writeUInt32LE(facts.crc32, 16);
  record.writeUInt32LE(facts.packedSize, 20);
  record.writeUInt32LE(facts.size, 24);
  record.writeUInt16LE(facts.name.byteLength, 28);
  record.writeUInt16LE(facts.extra.byteLength, 30);
  record.writeUInt32LE(entry.attributes ?? 0, 38);
  record.writeUInt32LE(entry.offset ?? offset, 42);
  return Buffer.concat([record, facts.name, facts.extra]);
}

/** The external attributes for a Unix mode. */
export function unixMode(mode: number): number {
  return mode * 0x1_0000;
}
