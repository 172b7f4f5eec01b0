import type { PropertyRequest } from '../xml/bodies.ts';
import { propstat, response, statusElement } from '../xml/multistatus.ts';
import { keyOf, type XmlName } from '../xml/names.ts';
import { element, type Tags, tagsOf } from '../xml/write-xml.ts';
import {
  type DescribedEntry,
  findLiveProperty,
  isChecksums,
  isQuota,
  PROPERTIES_IN_ALL,
  type PropertyContext,
} from './live-properties.ts';
import type { DeadProperty } from './queries.ts';

/** The XML elements of the requested properties that an entry has, and of those that it does not have. */
interface Properties {
  readonly found: string;
  readonly missing: string;
}

type Describe = (
  entry: DescribedEntry,
  dead: readonly DeadProperty[],
  context: PropertyContext,
) => Properties;

const NO_PROPERTIES = `<D:propstat><D:prop/>${statusElement(200)}</D:propstat>`;

/** The `response` element of a resource. */
export function writeResponse(href: string, { found, missing }: Properties): string {
  // A response must have a propstat, even if no property was named (section 14.24).
  return response(href, propstat(200, found) + propstat(404, missing) || NO_PROPERTIES);
}

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

const NOT_STORED: readonly DeadProperty[] = [];

function listAll(included: readonly XmlName[]): PropertyList {
  const known = new Set(PROPERTIES_IN_ALL.map(({ name }) => keyOf(name)));
  const isMore = (name: XmlName) => !known.has(keyOf(name)) && findLiveProperty(name) !== undefined;
  const more = listSome(included.filter(isMore));
  const live = PROPERTIES_IN_ALL.map(({ name, content }) => ({ tags: tagsOf(name), content }));
  const describe: Describe = (entry, dead, context) => {
    let found = '';
    for (const { tags, content } of live) found += elementOf(tags, content(entry, context));
    const { found: others, missing } = more.describe(entry, NOT_STORED, context);
    found += others;
    for (const { value } of dead) found += value;
    return { found, missing };
  };
  return { ...more, needsDead: true, describe };
}

function listSome(names: readonly XmlName[]): PropertyList {
  const unique = [...new Map(names.map((name) => [keyOf(name), name])).values()];
  const wanted = unique.map((name) => ({
    name,
    key: keyOf(name),
    content: findLiveProperty(name)?.content,
    tags: tagsOf(name),
  }));
  const describe: Describe = (entry, dead, context) => {
    const stored =
      dead.length === 0 ? undefined : new Map(dead.map(({ name, value }) => [keyOf(name), value]));
    let found = '';
    let missing = '';
    for (const { key, content, tags } of wanted) {
      const xml = content === undefined ? stored?.get(key) : elementOf(tags, content(entry, context));
      if (xml === undefined || xml === '') missing += tags.empty;
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

/** The element of a property; an empty text if the entry does not have the property. */
function elementOf({ open, close, empty }: Tags, content: string | undefined): string {
  if (content === undefined) return '';
  return content === '' ? empty : open + content + close;
}
