// Removes the symbols from a 64-bit Linux program for any processor, like `strip`. It removes all sections
// that are not loaded into memory, except the comment and the section names.
const HEADER = { sectionsAt: 40, sectionSize: 58, sectionCount: 60, namesIndex: 62 };
const SECTION = { name: 0, type: 4, flags: 8, at: 24, size: 32, link: 40, info: 44 };
const LOADED = 2n;
const KEPT = /^\.(?:comment|shstrtab)$/;

interface Section {
  readonly header: Buffer;
  readonly index: number;
  readonly name: string;
  readonly bytes: Buffer;
  readonly isLoaded: boolean;
}

/** @throws Error unless the bytes are a program whose loaded sections come first */
export function stripSymbols(program: Buffer): Buffer {
  if (program.toString('latin1', 0, 6) !== '\x7fELF\x02\x01')
    throw new Error('This is no 64-bit ELF program.');
  const sections = readSections(program);
  const loaded = sections.filter(({ isLoaded }) => isLoaded);
  const others = sections.filter(({ isLoaded, name, index }) => index > 0 && !isLoaded && KEPT.test(name));
  const end = Math.max(...loaded.map((section) => endInFile(section)), endOfSegments(program));
  const kept = [...sections.slice(0, 1), ...loaded, ...others];
  const indexes = new Map(kept.map(({ index }, position) => [index, position]));
  const parts: Buffer[] = [Buffer.from(program.subarray(0, end))];
  let at = end;
  const headers = kept.map((section) => {
    const header = Buffer.from(section.header);
    if (others.includes(section)) {
      header.writeBigUInt64LE(BigInt(at), SECTION.at);
      parts.push(section.bytes);
      at += section.bytes.byteLength;
    }
    header.writeUInt32LE(indexes.get(header.readUInt32LE(SECTION.link)) ?? 0, SECTION.link);
    return header;
  });
  const padding = (8 - (at % 8)) % 8;
  const stripped = Buffer.concat([...parts, Buffer.alloc(padding), ...headers]);
  stripped.writeBigUInt64LE(BigInt(at + padding), HEADER.sectionsAt);
  stripped.writeUInt16LE(headers.length, HEADER.sectionCount);
  stripped.writeUInt16LE(indexes.get(program.readUInt16LE(HEADER.namesIndex)) ?? 0, HEADER.namesIndex);
  return stripped;
}

function readSections(program: Buffer): readonly Section[] {
  const start = Number(program.readBigUInt64LE(HEADER.sectionsAt));
  const size = program.readUInt16LE(HEADER.sectionSize);
  const headers = Array.from({ length: program.readUInt16LE(HEADER.sectionCount) }, (_, index) =>
    program.subarray(start + index * size, start + (index + 1) * size),
  );
  const names = headers[program.readUInt16LE(HEADER.namesIndex)];
  if (names === undefined) throw new Error('The program has no sections.');
  const nameBytes = bytesOf(program, names);
  return headers.map((header, index) => {
    const nameAt = header.readUInt32LE(SECTION.name);
    return {
      header,
      index,
      name: nameBytes.toString('latin1', nameAt, nameBytes.indexOf(0, nameAt)),
      bytes: bytesOf(program, header),
      isLoaded: (header.readBigUInt64LE(SECTION.flags) & LOADED) !== 0n,
    };
  });
}

/** The bytes of a section; empty for one that has only a size in memory. */
function bytesOf(program: Buffer, header: Buffer): Buffer {
  const isInFile = header.readUInt32LE(SECTION.type) !== 8;
  const at = Number(header.readBigUInt64LE(SECTION.at));
  return program.subarray(at, isInFile ? at + Number(header.readBigUInt64LE(SECTION.size)) : at);
}

function endInFile({ header, bytes }: Section): number {
  return Number(header.readBigUInt64LE(SECTION.at)) + bytes.byteLength;
}

/** The end of the part of the file that the kernel maps into memory. */
function endOfSegments(program: Buffer): number {
  const start = Number(program.readBigUInt64LE(32));
  const [size, count] = [program.readUInt16LE(54), program.readUInt16LE(56)];
  return Math.max(
    ...Array.from({ length: count }, (_, index) => {
      const segment = program.subarray(start + index * size, start + (index + 1) * size);
      return Number(segment.readBigUInt64LE(8)) + Number(segment.readBigUInt64LE(32));
    }),
  );
}
