import { Failure } from '../../base/failure.ts';
import { allTextOf, childElements, findChild, type XmlElement } from './element.ts';
import { DAV, isName, XML, type XmlName } from './names.ts';
import { parseXml } from './read-xml.ts';
import { serialize, element as writeElement } from './write-xml.ts';

// Reads the XML bodies of requests. Unknown elements are ignored (RFC 4918, section 17).

/** The properties that a PROPFIND asks for (RFC 4918, section 9.1). */
export type PropertyRequest =
  | { readonly kind: 'all'; readonly included: readonly XmlName[] }
  | { readonly kind: 'names' }
  | { readonly kind: 'some'; readonly names: readonly XmlName[] };

/** The maximum number of properties that one request may name. They are sent for every entry. */
const MAX_NAMED = 200;
/** The maximum total length of their elements. */
const MAX_NAMES_LENGTH = 16 * 1_024;

/** An empty body asks for all properties. @throws Failure `invalid`, DavError */
export function readPropfind(bytes: Uint8Array): PropertyRequest {
  if (bytes.length === 0) return { kind: 'all', included: [] };
  const root = readRoot(bytes, 'propfind');
  const kinds = childElements(root).filter(
    ({ name }) => name.namespace === DAV && ['allprop', 'propname', 'prop'].includes(name.local),
  );
  const [only] = kinds;
  if (only === undefined || kinds.length > 1) {
    throw new Failure('invalid', 'propfind must have one of allprop, propname and prop.');
  }
  if (only.name.local === 'propname') return { kind: 'names' };
  if (only.name.local === 'prop') return { kind: 'some', names: namesIn(only) };
  const include = findChild(root, DAV, 'include');
  return { kind: 'all', included: include === undefined ? [] : namesIn(include) };
}

function namesIn(element: XmlElement): readonly XmlName[] {
  const names = childElements(element).map(({ name }) => name);
  if (names.length > MAX_NAMED) throw new Failure('invalid', `More than ${MAX_NAMED} properties are named.`);
  const length = names.reduce((sum, name) => sum + writeElement(name).length, 0);
  if (length > MAX_NAMES_LENGTH) throw new Failure('invalid', 'The names of the properties are too long.');
  return names;
}

/** One step of a PROPPATCH (RFC 4918, section 9.2), in the order of the body. */
export interface PropertyUpdate {
  readonly name: XmlName;
  /** Undefined if the property is to be removed. */
  readonly value: XmlElement | undefined;
}

/** @throws Failure `invalid`, DavError */
export function readPropertyUpdate(bytes: Uint8Array): readonly PropertyUpdate[] {
  const root = readRoot(bytes, 'propertyupdate');
  const updates: PropertyUpdate[] = [];
  for (const step of childElements(root)) {
    const isSet = isName(step.name, DAV, 'set');
    if (!isSet && !isName(step.name, DAV, 'remove')) continue;
    for (const prop of childElements(step)) {
      if (!isName(prop.name, DAV, 'prop')) continue;
      const language = languageOf(prop) ?? languageOf(step) ?? languageOf(root);
      for (const property of childElements(prop)) {
        updates.push({ name: property.name, value: isSet ? withLanguage(property, language) : undefined });
      }
    }
  }
  if (updates.length === 0) throw new Failure('invalid', 'propertyupdate names no property.');
  return updates;
}

/** Adds the `xml:lang` in scope to the value, because it belongs to it (RFC 4918, section 4.3). */
function withLanguage(property: XmlElement, language: string | undefined): XmlElement {
  if (language === undefined || languageOf(property) !== undefined) return property;
  const attribute = { name: { namespace: XML, local: 'lang' }, value: language };
  return { ...property, attributes: [...property.attributes, attribute] };
}

/**
 * Language tags are short (BCP 47). A long one would take much space, because it is repeated with each
 * property.
 */
const MAX_LANGUAGE_LENGTH = 64;

function languageOf({ attributes }: XmlElement): string | undefined {
  const language = attributes.find(({ name }) => isName(name, XML, 'lang'))?.value;
  if (language === undefined || language.length <= MAX_LANGUAGE_LENGTH) return language;
  throw new Failure('invalid', `xml:lang has more than ${MAX_LANGUAGE_LENGTH} characters.`);
}

/** What a LOCK asks for (RFC 4918, section 14.11). */
export interface LockRequest {
  readonly isExclusive: boolean;
  /** What the client wrote about the owner, as XML; empty if it wrote nothing. */
  readonly owner: string;
}

/** The maximum number of characters in the text of `owner`. */
const MAX_OWNER_LENGTH = 256;
/** The maximum number of characters in the whole element. */
const MAX_OWNER_XML_LENGTH = 2_048;

/** @throws Failure `invalid`, DavError */
export function readLockInfo(bytes: Uint8Array): LockRequest {
  const root = readRoot(bytes, 'lockinfo');
  const scope = findChild(root, DAV, 'lockscope');
  const type = findChild(root, DAV, 'locktype');
  const isExclusive = scope !== undefined && findChild(scope, DAV, 'exclusive') !== undefined;
  const isShared = scope !== undefined && findChild(scope, DAV, 'shared') !== undefined;
  if (isExclusive === isShared || type === undefined || findChild(type, DAV, 'write') === undefined) {
    throw new Failure('invalid', 'lockinfo must ask for an exclusive or a shared write lock.');
  }
  const written = findChild(root, DAV, 'owner');
  const owner = written === undefined ? '' : serialize(written);
  const length = written === undefined ? 0 : allTextOf(written).length;
  if (length > MAX_OWNER_LENGTH || owner.length > MAX_OWNER_XML_LENGTH) {
    throw new Failure(
      'invalid',
      `The owner must not be longer than ${MAX_OWNER_LENGTH} characters, or ${MAX_OWNER_XML_LENGTH} with its elements.`,
    );
  }
  return { isExclusive, owner };
}

function readRoot(bytes: Uint8Array, local: string): XmlElement {
  const root = parseXml(bytes);
  if (!isName(root.name, DAV, local)) throw new Failure('invalid', `The body must be a ${local} of DAV:.`);
  return root;
}
