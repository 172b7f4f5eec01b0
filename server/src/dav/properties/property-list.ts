import type { PropertyRequest } from '../xml/bodies.ts';
import { keyOf, type XmlName } from '../xml/names.ts';
import { element } from '../xml/write-xml.ts';
import {
  type DescribedEntry,
  findLiveProperty,
  isChecksums,
  isQuota,
  PROPERTIES_IN_ALL,
  type PropertyContext,
} from './live-properties.ts';
import type { DeadProperty } from './queries.ts';

/** The elements of the properties that an entry has, and of those that it does not have. */
interface Properties {
  readonly found: string;
  readonly missing: string;
}

type Describe = (
  entry: DescribedEntry,
  dead: readonly DeadProperty[],
  context: PropertyContext,
) => Properties;

/** What a PROPFIND answers about each entry, prepared once for all entries. */
export interface PropertyList {
  /** Whether the properties that clients have stored are needed. */
  readonly needsDead: boolean;
  readonly needsQuota: boolean;
  /** Whether the digest of the content is needed. */
  readonly needsDigest: boolean;
  readonly describe: Describe;
}

/** RFC 4918, section 9.1. */
export function toPropertyList(request: PropertyRequest): PropertyList {
  if (request.kind === 'names') {
    return { needsDead: true, needsQuota: false, needsDigest: false, describe: describeNames };
  }
  if (request.kind === 'all') return listAll(request.included);
  return listSome(request.names);
}

const describeNames: Describe = (entry, dead, context) => {
  const live = PROPERTIES_IN_ALL.filter(({ content }) => content(entry, context) !== undefined);
  return { found: [...live, ...dead].map(({ name }) => element(name)).join(''), missing: '' };
};

function listAll(included: readonly XmlName[]): PropertyList {
  const known = new Set(PROPERTIES_IN_ALL.map(({ name }) => keyOf(name)));
  const isMore = (name: XmlName) => !known.has(keyOf(name)) && findLiveProperty(name) !== undefined;
  const more = listSome(included.filter(isMore));
  const describe: Describe = (entry, dead, context) => {
    const live = PROPERTIES_IN_ALL.map(({ name, content }) => elementOf(name, content(entry, context)));
    const stored = dead.map(({ value }) => value);
    const { found, missing } = more.describe(entry, [], context);
    return { found: live.join('') + found + stored.join(''), missing };
  };
  return { ...more, needsDead: true, describe };
}

function listSome(names: readonly XmlName[]): PropertyList {
  const unique = [...new Map(names.map((name) => [keyOf(name), name])).values()];
  const wanted = unique.map((name) => ({
    name,
    key: keyOf(name),
    content: findLiveProperty(name)?.content,
    empty: element(name),
  }));
  const describe: Describe = (entry, dead, context) => {
    const stored = new Map(dead.map(({ name, value }) => [keyOf(name), value]));
    let found = '';
    let missing = '';
    for (const { name, key, content, empty } of wanted) {
      const xml = content === undefined ? stored.get(key) : elementOf(name, content(entry, context));
      if (xml === undefined || xml === '') missing += empty;
      else found += xml;
    }
    return { found, missing };
  };
  return {
    needsDead: wanted.some(({ content }) => content === undefined),
    needsQuota: unique.some(isQuota),
    needsDigest: unique.some(isChecksums),
    describe,
  };
}

/** Empty if the entry does not have the property. */
function elementOf(name: XmlName, content: string | undefined): string {
  return content === undefined ? '' : element(name, content);
}
