// The contents of a package, below its top directory:
//
//   bin/holdall bin/node        the command and the Node.js that runs it
//   server/ web/ node_modules/  as in a clone after `npm run build`, without development files
//   deploy/ README.md …         for operators
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BUNDLED_PACKAGES, type PackageLicence } from '../build/package-licence.ts';
import { readInstalledPackages } from './dependencies/installed-packages.ts';
import { fetchPackage } from './dependencies/registry.ts';
import { toSbom } from './dependencies/sbom.ts';
import { describeThirdParties, toComponents } from './dependencies/third-party.ts';
import { stripSymbols } from './formats/elf.ts';
import { type PackedFile, readFilesBelow, textFile } from './formats/packed-file.ts';
import { NODE_INTEGRITY, NODE_VERSION, type Target } from './targets.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

/** The files for operators. They are listed explicitly, so that no uncommitted file gets into a package. */
export const OPERATOR_FILES: readonly string[] = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'deploy/compose-single.yaml',
  'deploy/compose.yaml',
  'deploy/fail2ban/filter-holdall.conf',
  'deploy/fail2ban/jail-holdall.conf',
  'deploy/holdall-backup.service',
  'deploy/holdall-backup.timer',
  'deploy/holdall.env.example',
  'deploy/holdall.service',
  'deploy/kubernetes.yaml',
  'deploy/nginx-compose.conf',
  'deploy/nginx.conf',
  'deploy/prometheus-alerts.yaml',
  'docs/api.md',
  'docs/architecture.md',
  'docs/command-line.md',
  'docs/conformance.md',
  'docs/decisions/0001-group-commit-on-sqlite.md',
  'docs/decisions/0002-forms-are-read-with-our-own-parser.md',
  'docs/decisions/0003-hot-statements-are-written-out.md',
  'docs/decisions/0004-names-are-indexed-in-batches.md',
  'docs/decisions/0006-zip-writer.md',
  'docs/decisions/0007-conditional-requests.md',
  'docs/decisions/0008-sqlite-driver.md',
  'docs/decisions/0009-tus-server.md',
  'docs/decisions/0010-backups-are-rows-as-json.md',
  'docs/decisions/0011-threads-for-long-work-on-sqlite.md',
  'docs/decisions/0012-thumbnails-in-child-processes.md',
  'docs/decisions/0013-sort-keys-of-names.md',
  'docs/decisions/0014-own-reader-of-zip-directories.md',
  'docs/decisions/0015-times-of-pictures-are-read-with-our-own-reader.md',
  'docs/decisions/0016-silent-database-connections.md',
  'docs/decisions/0018-own-inflate64.md',
  'docs/decisions/0019-direction-marks-are-shown-by-the-jsx-runtime.md',
  'docs/decisions/0020-pdfs-are-drawn-by-pdf-js.md',
  'docs/decisions/0021-webdav-is-our-own.md',
  'docs/decisions/0022-sizes-of-pictures-are-read-with-our-own-reader.md',
  'docs/decisions/0023-own-fuzzer.md',
  'docs/decisions/0024-own-test-runner.md',
  'docs/decisions/0025-import-rules-are-our-own.md',
  'docs/decisions/0026-texts-are-taken-from-files-in-child-processes.md',
  'docs/decisions/0027-search-in-content.md',
  'docs/decisions/0028-own-readers-of-books-and-slides.md',
  'docs/encrypted-transfer.md',
  'docs/operations.md',
  'docs/performance.md',
  'docs/security.md',
  'docs/upgrading.md',
  'docs/webdav.md',
];

/** The version of Holdall. */
export const VERSION: string = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version;

/**
 * A package's files, without its top directory. The server and the web client must already be built.
 * @param builtAt the time of all files, in seconds
 */
export async function collectContents(target: Target, builtAt: number): Promise<readonly PackedFile[]> {
  const node = await fetchPackage(`node-${target.name}`, NODE_VERSION, NODE_INTEGRITY[target.name]);
  const program = node.get('bin/node');
  const nodeLicence = node.get('LICENSE');
  if (program === undefined || nodeLicence === undefined)
    throw new Error('The package of Node.js is not complete.');
  const installed = await readInstalledPackages(target);
  const components = [
    {
      name: 'Node.js',
      version: NODE_VERSION,
      identifier: null,
      text: nodeLicence.toString().trim(),
      purl: `pkg:generic/node@${NODE_VERSION}`,
    },
    ...toComponents([
      ...installed.map(({ licence }) => licence),
      ...readBundled('server'),
      // Last, because it adds the licences of fonts and decoders to that of pdf.js.
      ...readBundled('web'),
    ]),
  ];
  return [
    { ...textFile('bin/holdall', readText('tools/package/holdall.sh')), isExecutable: true },
    { path: 'bin/node', bytes: stripSymbols(program), isExecutable: true },
    ...['server', 'web'].flatMap((part) =>
      readFilesBelow(path.join(root, part, 'dist'), `${part}/dist`, (name) => !isOfBuild(name)),
    ),
    textFile('server/package.json', `${JSON.stringify({ version: VERSION, type: 'module' })}\n`),
    ...installed.flatMap(({ files }) => files.map(strip)),
    ...OPERATOR_FILES.map((name) => textFile(name, readText(name))),
    textFile('THIRD-PARTY.md', describeThirdParties(components)),
    textFile('sbom.cdx.json', toSbom({ name: 'holdall', version: VERSION, builtAt }, components)),
  ];
}

function strip(file: PackedFile): PackedFile {
  return /\.node$|\.so(?:\.\d+)*$/.test(file.path) ? { ...file, bytes: stripSymbols(file.bytes) } : file;
}

/** Files in the output folders that only the build needs. */
function isOfBuild(name: string): boolean {
  return name === '.built-from' || name === BUNDLED_PACKAGES;
}

function readBundled(part: 'server' | 'web'): readonly PackageLicence[] {
  return JSON.parse(readText(`${part}/dist/${BUNDLED_PACKAGES}`));
}

function readText(name: string): string {
  return readFileSync(path.join(root, name), 'utf8');
}
