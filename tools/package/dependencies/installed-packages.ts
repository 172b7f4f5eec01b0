// The packages that the built programs load from `node_modules`: those that tools/build/build-server.ts does
// not bundle, and their dependencies in package-lock.json.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EXTERNAL, OPTIONAL } from '../../build/build-server.ts';
import { isLicenceFile, type PackageLicence, toPackageLicence } from '../../build/package-licence.ts';
import { type PackedFile, readFilesBelow } from '../formats/packed-file.ts';
import type { Target } from '../targets.ts';
import { fetchPackage } from './registry.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface InstalledPackage {
  readonly licence: PackageLicence;
  /** The files, with paths below `node_modules`. */
  readonly files: readonly PackedFile[];
}

/** Needed to compile, but not to run. */
const COMPILED_WITH = ['node-addon-api'];

const NOT_NEEDED = [
  /\.(?:md|markdown|map|[cm]?ts|h|hpp|cc|cpp|gypi?|yml|jsonl)$/i,
  /^(?:tests?|__tests__|e2e|examples?|benchmarks?|\.github)\//,
  /(?:^|\/)(?:\.[^/]*|(?:eslint|playwright|vitest|jest|rollup|webpack)[^/]*config[^/]*|Makefile|package-lock\.json)$/,
];

/**
 * Files for bundlers and `import`. They are not needed, because our modules load these packages with
 * `require`.
 */
const OTHER_FORMS = /^(?:browser|dist\/esm)\//;

/** Further parts of single packages that are not needed, and that {@link NOT_NEEDED} does not match. */
const NOT_NEEDED_OF: Readonly<Record<string, (target: Target) => RegExp>> = {
  'better-sqlite3': ({ name }) =>
    new RegExp(`^(?:src|deps)/|^(?:prebuilds|lib)/(?!${name}\\.)[a-z0-9]+-(?:x64|arm64)\\.`),
  sharp: () => /^(?:src|install)\//,
  // The module and its loader are enough. The other files contain the same code.
  'libheif-js': () => /^libheif\/|^libheif-wasm\/libheif-bundle|^[a-z-]+\.js$/,
  // The server takes text from PDFs and draws pages. The web client has its own copy of what it needs.
  'pdfjs-dist': () =>
    /^(?!package\.json$|cmaps\/|standard_fonts\/|wasm\/(?:jbig2|openjpeg)\.wasm$|legacy\/build\/pdf(?:\.worker\.min)?\.mjs$)/,
  // Its page loads the bundle.
  '@fastify/swagger-ui': () => /^static\/swagger-ui\.js$/,
  glob: () => OTHER_FORMS,
  'lru-cache': () => OTHER_FORMS,
  minimatch: () => OTHER_FORMS,
  minipass: () => OTHER_FORMS,
  'path-scurry': () => OTHER_FORMS,
  yaml: () => OTHER_FORMS,
  // It is loaded as a CommonJS module.
  'node-datachannel': () => /^(?:src|dist\/(?:esm|types))\/|^(?:CMakeLists\.txt|rollup\.config\.mjs)$/,
  '@img/sharp-libvips-linux-x64': () => /^lib\/glib-2\.0\//,
  '@img/sharp-libvips-linux-arm64': () => /^lib\/glib-2\.0\//,
};

/** @throws Error if package-lock.json and `node_modules` do not match */
export async function readInstalledPackages(target: Target): Promise<readonly InstalledPackage[]> {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
  );
  const found = new Set<string>();
  const visit = (name: string, from: string, isOptional: boolean) => {
    const place = findPlace(lock.packages, name, from);
    const locked = place === undefined ? undefined : lock.packages[place];
    if (place === undefined || locked === undefined) {
      if (isOptional) return;
      throw new Error(`package-lock.json does not name ${name}, which ${from} needs.`);
    }
    if (found.has(place) || !suits(locked, target)) return;
    found.add(place);
    for (const each of Object.keys(locked.dependencies ?? {})) {
      if (!COMPILED_WITH.includes(each)) visit(each, place, false);
    }
    for (const each of Object.keys(locked.optionalDependencies ?? {})) visit(each, place, true);
  };
  for (const name of EXTERNAL) visit(name, 'server', false);
  for (const name of OPTIONAL) visit(name, '', false);
  const read = [...found].sort().map((place) => readPackage(place, lock.packages[place], target));
  return await Promise.all(read);
}

/** The place where Node.js finds a package, starting from the package that requires it. */
function findPlace(packages: Readonly<Record<string, LockedPackage>>, name: string, from: string) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules') - 1))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}

function suits({ os, cpu, libc }: LockedPackage, target: Target): boolean {
  return [
    [os, 'linux'],
    [cpu, target.cpu],
    [libc, 'glibc'],
  ].every(([allowed, wanted]) => allowed === undefined || allowed.includes(String(wanted)));
}

async function readPackage(
  place: string,
  locked: LockedPackage | undefined,
  target: Target,
): Promise<InstalledPackage> {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  if (locked === undefined) throw new Error(`package-lock.json does not name ${place}.`);
  const files = existsSync(path.join(root, place))
    ? readFilesBelow(path.join(root, place), place, (file) => !file.includes('node_modules/'))
    : [...(await fetchPackage(name, locked.version, locked.integrity ?? ''))].map(([file, bytes]) => ({
        path: `${place}/${file}`,
        bytes,
      }));
  const manifest = JSON.parse(
    files.find((file) => file.path === `${place}/package.json`)?.bytes.toString() ?? '{}',
  );
  if (manifest.version !== locked.version) {
    throw new Error(`${place} is not what package-lock.json names: run "npm ci".`);
  }
  const nameOf = (file: PackedFile) => file.path.slice(place.length + 1);
  const texts = files
    .filter((file) => isLicenceFile(nameOf(file)))
    .map((file) => file.bytes.toString().trim());
  const special = NOT_NEEDED_OF[name]?.(target);
  return {
    licence: toPackageLicence(manifest, [...texts, ...readLicenceTable(name, files)]),
    files: files.filter((file) => {
      const own = nameOf(file);
      if (isLicenceFile(own)) return true;
      return !NOT_NEEDED.some((pattern) => pattern.test(own)) && special?.test(own) !== true;
    }),
  };
}

/** What `node_datachannel.node` contains; its package does not say so. */
const INSIDE_DATACHANNEL = [
  'Contains libdatachannel (MPL-2.0), libjuice (MPL-2.0), usrsctp (BSD-3-Clause), libsrtp (BSD-3-Clause), plog (MIT)',
  'and OpenSSL (Apache-2.0). Their sources: https://github.com/murat-dogan/node-datachannel and',
  'https://github.com/paullouisageneau/libdatachannel',
].join('\n');

/** What `skia.*.node` contains; its package does not say so. */
const INSIDE_CANVAS = [
  'Contains Skia (BSD-3-Clause) and the libraries that Skia is built with. A list with their licences:',
  'https://github.com/Brooooooklyn/canvas',
].join('\n');

/** What `libheif.wasm` contains; its package does not say so. */
const INSIDE_HEIF = [
  'Contains libheif (LGPL-3.0) and libde265 (LGPL-3.0). Their sources: https://github.com/strukturag/libheif and',
  'https://github.com/strukturag/libde265. The module libheif.wasm is a file of its own, which you may replace.',
].join('\n');

/** libvips contains other libraries; only its README names their licences. */
function readLicenceTable(name: string, files: readonly PackedFile[]): readonly string[] {
  if (name.startsWith('@node-datachannel/')) return [INSIDE_DATACHANNEL];
  if (name === 'libheif-js') return [INSIDE_HEIF];
  if (name.startsWith('@napi-rs/canvas-')) return [INSIDE_CANVAS];
  if (!name.startsWith('@img/sharp-libvips')) return [];
  const readme = files.find((file) => file.path.endsWith('/README.md'))?.bytes.toString() ?? '';
  const table = /^## Licensing\n([\s\S]*)$/m.exec(readme)?.[1];
  if (table === undefined) throw new Error(`The README of ${name} does not name the licences in it.`);
  return [table.trim()];
}
