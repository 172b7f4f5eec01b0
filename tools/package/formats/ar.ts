// `ar` archives, the format of Debian packages: deb(5).
const MAGIC = '!<arch>\n';

/** @param modifiedAt in seconds */
export function writeAr(
  members: readonly { readonly name: string; readonly bytes: Buffer }[],
  modifiedAt: number,
): Buffer {
  const parts = members.flatMap(({ name, bytes }) => [
    Buffer.from(
      [
        name.padEnd(16),
        String(modifiedAt).padEnd(12),
        '0'.padEnd(6),
        '0'.padEnd(6),
        '100644'.padEnd(8),
        String(bytes.byteLength).padEnd(10),
        '`\n',
      ].join(''),
    ),
    bytes,
    Buffer.from(bytes.byteLength % 2 === 0 ? '' : '\n'),
  ]);
  return Buffer.concat([Buffer.from(MAGIC), ...parts]);
}
