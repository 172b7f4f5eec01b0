// The package for Debian and Ubuntu, in the format of deb(5).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeAr } from './formats/ar.ts';
import { type PackedFile, textFile } from './formats/packed-file.ts';
import { writeTar } from './formats/tar.ts';
import type { Target } from './targets.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const HOME = 'usr/lib/holdall';
const DOCUMENTS = 'usr/share/doc/holdall';
const CONFIGURATION = 'etc/holdall/holdall.env';
/** Every path in a package begins with this. */
const TOP = './';

/** Lines of the systemd units for a clone, and their replacements in the package. Each line must exist. */
const CHANGES_OF_UNITS = [
  ['WorkingDirectory=/opt/holdall\n', 'WorkingDirectory=/var/lib/holdall\n'],
  ['EnvironmentFile=-/etc/holdall/environment\n', 'EnvironmentFile=-/etc/holdall/holdall.env\n'],
  ['ExecStart=/usr/bin/node /opt/holdall/tools/holdall.mjs ', 'ExecStart=/usr/lib/holdall/bin/holdall '],
] as const;

interface DebianPackage {
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** The version in Debian's notation, in which `~` makes 1.0.0~rc.1 sort before 1.0.0. */
export function toDebianVersion(version: string): string {
  return version.replace('-', '~');
}

/**
 * @param contents the files of the archive
 * @param builtAt the time of all files, in seconds
 */
export async function makeDebianPackage(
  contents: readonly PackedFile[],
  target: Target,
  { version, builtAt, level }: { version: string; builtAt: number; level: number },
): Promise<DebianPackage> {
  const files = [...listFiles(contents), ...listDebianFiles(contents, version, builtAt)];
  const installedBytes = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  const control = [
    textFile('control', describe(target, version, installedBytes)),
    textFile('conffiles', `/${CONFIGURATION}\n`),
    textFile('md5sums', sumFiles(files)),
    ...['postinst', 'prerm', 'postrm'].map((name) => textFile(name, read(name), { isExecutable: true })),
  ];
  const pack = async (each: readonly PackedFile[]) => {
    const below = each.map((file) => ({ ...file, path: `${TOP}${file.path}` }));
    return gzipSync(await writeTar(below, builtAt), { level });
  };
  const members = [
    { name: 'debian-binary', bytes: Buffer.from('2.0\n') },
    { name: 'control.tar.gz', bytes: await pack(control) },
    { name: 'data.tar.gz', bytes: await pack(files) },
  ];
  return {
    fileName: `holdall_${toDebianVersion(version)}_${target.architecture}.deb`,
    bytes: writeAr(members, builtAt),
  };
}

/** The program, without the files that Debian puts elsewhere. */
function listFiles(contents: readonly PackedFile[]): readonly PackedFile[] {
  return contents
    .filter(({ path: name }) => name.includes('/') && !/^(?:docs|deploy)\//.test(name))
    .map((file) => ({ ...file, path: `${HOME}/${file.path}` }));
}

function listDebianFiles(
  contents: readonly PackedFile[],
  version: string,
  builtAt: number,
): readonly PackedFile[] {
  const document = (name: string) => {
    const file = contents.find((each) => each.path === name);
    if (file === undefined) throw new Error(`The package has no ${name}.`);
    return compressed(path.basename(name), file.bytes);
  };
  const unit = (name: string, change: (text: string) => string = (text) => text) =>
    textFile(`lib/systemd/system/${name}`, change(readFileSync(path.join(root, 'deploy', name), 'utf8')));
  return [
    { ...textFile('usr/bin/holdall', read('holdall.sh')), isExecutable: true },
    textFile(CONFIGURATION, read('holdall.env'), { mode: 0o640 }),
    unit('holdall.service', toUnit),
    unit('holdall-backup.service', toUnit),
    unit('holdall-backup.timer'),
    textFile(`${DOCUMENTS}/copyright`, describeCopyright(contents)),
    compressed('changelog', Buffer.from(describeChanges(version, builtAt))),
    ...['README.md', 'THIRD-PARTY.md', 'sbom.cdx.json', 'docs/operations.md', 'docs/upgrading.md'].map(
      document,
    ),
    ...['deploy/nginx.conf'].map(document),
    textFile('usr/share/lintian/overrides/holdall', read('lintian-overrides')),
  ];
}

/** @throws Error if the unit for clones lacks one of the lines to replace */
export function toUnit(unit: string): string {
  return CHANGES_OF_UNITS.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`A unit in deploy does not say ${from.trimEnd()}.`);
      return text.replace(from, to);
    },
    // The second paragraph of the comment at the top says where the files of a clone are.
    unit.replace(/^(#.+\n)#\n(?:#.*\n)+(?=\[)/, '$1'),
  );
}

function compressed(name: string, bytes: Buffer): PackedFile {
  return { path: `${DOCUMENTS}/${name}.gz`, bytes: gzipSync(bytes, { level: 9 }) };
}

function describe(target: Target, version: string, installedBytes: number): string {
  return [
    'Package: holdall',
    `Version: ${toDebianVersion(version)}`,
    `Architecture: ${target.architecture}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${Math.ceil(installedBytes / 1024)}`,
    'Depends: adduser, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 11)',
    'Section: net',
    'Priority: optional',
    'Description: self-hosted cloud drive',
    ' Holdall stores files for several people, with a recycle bin, versions,',
    ' resumable uploads, share links with enforced limits, WebDAV and a web',
    ' client. One service on SQLite and the local disk is enough for a household;',
    ' the same program runs on PostgreSQL and S3 for many people.',
    '',
  ].join('\n');
}

/** Debian's tools require an email address. */
const MAINTAINER = 'The Holdall maintainers <holdall@localhost.localdomain>';

function describeChanges(version: string, builtAt: number): string {
  const date = new Date(builtAt * 1000).toUTCString().replace('GMT', '+0000');
  return `holdall (${toDebianVersion(version)}) unstable; urgency=medium

  * CHANGELOG.md of Holdall lists what has changed.

 -- ${MAINTAINER}  ${date}
`;
}

function describeCopyright(contents: readonly PackedFile[]): string {
  const licence = contents.find((file) => file.path === 'LICENSE')?.bytes.toString() ?? '';
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Holdall
Comment: /usr/share/doc/holdall/THIRD-PARTY.md.gz has the licences of the programs and libraries
 of others in this package.

Files: *
Copyright: The Holdall maintainers
License: AGPL-3.0-only
${licence
  .trimEnd()
  .split('\n')
  .map((line) => (line.trim() === '' ? ' .' : ` ${line}`))
  .join('\n')}
`;
}

function sumFiles(files: readonly PackedFile[]): string {
  return files
    .filter((file) => file.path !== CONFIGURATION)
    .map((file) => `${createHash('md5').update(file.bytes).digest('hex')}  ${file.path}\n`)
    .sort((one, other) => (one.slice(34) < other.slice(34) ? -1 : 1))
    .join('');
}

function read(name: string): string {
  return readFileSync(path.join(import.meta.dirname, 'debian', name), 'utf8');
}
