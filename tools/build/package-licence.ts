// Names and licences of the npm packages whose code is in our build output.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');

/** The file in each output folder that lists the packages in its code, each as a {@link PackageLicence}. */
export const BUNDLED_PACKAGES = 'bundled-packages.json';

/** The same format that Vite uses to list the packages it has bundled. */
export interface PackageLicence {
  readonly name: string;
  readonly version: string;
  /** The SPDX identifier, such as `MIT`; null if the package names none. */
  readonly identifier: string | null;
  /** The text of its licence files; null if the package contains none. */
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

/** @param directory the directory of an installed package */
export function readPackageLicence(directory: string): PackageLicence {
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
    // A spelling that is not in the SPDX list.
    identifier:
      typeof manifest.license === 'string' ? manifest.license.replace(/^MPL 2\.0$/, 'MPL-2.0') : null,
    text: texts.length === 0 ? null : texts.join('\n\n'),
  };
}
