/** The name of an element or a property: a namespace, which may be empty, and a local name. */
export interface XmlName {
  readonly namespace: string;
  readonly local: string;
}

export const DAV = 'DAV:';
export const OWNCLOUD = 'http://owncloud.org/ns';
/** Windows stores its times and attributes under these names. */
export const WINDOWS = 'urn:schemas-microsoft-com:';
export const XML = 'http://www.w3.org/XML/1998/namespace';

export function dav(local: string): XmlName {
  return { namespace: DAV, local };
}

/** A unique key for each name: no local name contains a space. */
export function keyOf({ namespace, local }: XmlName): string {
  return `${local} ${namespace}`;
}

export function isName(name: XmlName, namespace: string, local: string): boolean {
  return name.local === local && name.namespace === namespace;
}
