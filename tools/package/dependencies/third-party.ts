// THIRD-PARTY.md: the licences of all third-party software in a package.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PackageLicence } from '../../build/package-licence.ts';

/** Third-party software in a package. */
export interface Component extends PackageLicence {
  /** The package URL: https://github.com/package-url/purl-spec */
  readonly purl: string;
}

/** Licence texts that packages name but do not include. */
const COMMON = path.join(import.meta.dirname, '..', 'licences');

/** Converts licences to components, sorted and without duplicates. */
export function toComponents(licences: readonly PackageLicence[]): readonly Component[] {
  const found = new Map(
    licences.map((licence) => [`pkg:npm/${licence.name.replace('@', '%40')}@${licence.version}`, licence]),
  );
  return [...found]
    .map(([purl, licence]) => ({ ...licence, purl }))
    .sort((one, other) => (one.purl < other.purl ? -1 : 1));
}

/** @throws Error for a component whose licence is unknown */
export function describeThirdParties(components: readonly Component[]): string {
  const unknown = components.filter(({ identifier, text }) => identifier === null && text === null);
  if (unknown.length > 0)
    throw new Error(`No licence is known of ${unknown.map(({ name }) => name).join(', ')}.`);
  const byText = Map.groupBy(
    components,
    ({ identifier, text }) => `${identifier ?? 'see below'}\n${text ?? ''}`,
  );
  const sections = [...byText].map(([, group]) => describeGroup(group));
  return `${[
    '# What others wrote',
    'Holdall is free software under the GNU Affero General Public License, version 3 only (LICENSE). This package ' +
      'contains the following software of others, under the licences that follow each list of names.',
    ...sections,
    '# Licences that are named above',
    ...['LGPL-3.0', 'GPL-3.0', 'Apache-2.0'].map((name) => `## ${name}\n\n${quote(readCommon(name))}`),
  ].join('\n\n')}\n`;
}

function describeGroup(group: readonly Component[]): string {
  const names = group.map(({ name, version }) => `- ${name} ${version}`);
  const [{ identifier, text } = { identifier: null, text: null }] = group;
  const licence = identifier ?? 'The licence says';
  return `${names.join('\n')}\n\n${licence}${text === null ? '' : `:\n\n${quote(text)}`}`;
}

/** Wraps the text in a code block, which Markdown shows unchanged. */
function quote(text: string): string {
  return text.replace(/\r/g, '').replace(/^(?=.)/gm, '    ');
}

function readCommon(name: string): string {
  return readFileSync(path.join(COMMON, `${name}.txt`), 'utf8').trimEnd();
}
