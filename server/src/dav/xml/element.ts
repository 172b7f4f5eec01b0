import { isName, type XmlName } from './names.ts';

/** An element in a request, with its namespaces resolved. */
export interface XmlElement {
  readonly name: XmlName;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly (XmlElement | string)[];
}

export interface XmlAttribute {
  readonly name: XmlName;
  readonly value: string;
}

export function childElements({ children }: XmlElement): readonly XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

export function findChild(element: XmlElement, namespace: string, local: string): XmlElement | undefined {
  return childElements(element).find(({ name }) => isName(name, namespace, local));
}

/** The text directly in an element, without that of its child elements. */
export function textOf({ children }: XmlElement): string {
  return children.filter((child) => typeof child === 'string').join('');
}

/** The text in an element and all of its descendants. */
export function allTextOf({ children }: XmlElement): string {
  return children.map((child) => (typeof child === 'string' ? child : allTextOf(child))).join('');
}
