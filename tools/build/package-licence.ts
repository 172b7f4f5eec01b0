// Names and licences of npm packages whose code is in something that we build.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');

/** In each output folder: the packages whose code is in its files, a list of {@link PackageLicence}. */
export const BUNDLED_PACKAGES = 'bundled-packages.json';

/** The form in which Vite lists what it has bundled, too. */
export interface PackageLicence {
  readonly name: string;
  readonly version: string;
  /** SPDX, such as `MIT`; null where the package does not say. */
  readonly identifier: string | null;
  /** The text of its licence files; null where the package contains none. */
  readonly text: string | null;
}

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Whether a file at the top of a package is one of its licence files. */
export function isLicenceFile(name: string): boolean {
  return LICENCE_FILE.test(name);
}

/** The packages whose code esbuild has bundled. */
export function readPackagesOf(metafile: { readonly inputs: object }): readonly PackageLicence[] {
  const found = Object.keys(metafile.inputs).flatMap(
    (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [],
  );
  return [...new Set(found)].sort().map((place) => readPackageLicence(path.join(root, place)));
}

/** Writes the list into an output folder. */
export function writeBundledPackages(directory: string, packages: readonly PackageLicence[]): void {
  writeFileSync(path.join(directory, BUNDLED_PACKAGES), `${JSON.stringify(packages, null, 2)}\n`);
}

/** @param directory of an installed package */
function readPackageLicence(directory: string): PackageLicence {
  const manifest = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  const texts = readdirSync(directory)
    .filter(isLicenceFile)
    .sort()
    .map((name) => readFileSync(path.join(directory, name), 'utf8').trim());
  return toPackageLicence(manifest, texts);
}

/** @param manifest the content of a package.json */
export function toPackageLicence(
  manifest: { name: string; version: string; license?: unknown },
  texts: readonly string[],
): PackageLicence {
  return {
    name: manifest.name,
    version: manifest.version,
    // The way of writing that is not in the list of SPDX.
    identifier:
      typeof manifest.license === 'string' ? manifest.license.replace(/^MPL 2\.0$/, 'MPL-2.0') : null,
    text: texts.length === 0 ? null : texts.join('\n\n'),
  };
}
