// Makes and cleans the elements of a shown document.
import type { Package } from './open-package.ts';

/** Elements that a document never needs. The content security policy would also block them. */
const UNWANTED =
  'script, iframe, frame, object, embed, form, input, button, select, textarea, link, meta, base, audio, video';
/** Allowed targets of links that lead out of a document. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

/** Removes what could run, or load something from elsewhere. Pictures and links are left to the caller. */
export function removeUnsafe(root: ParentNode): void {
  for (const element of root.querySelectorAll(UNWANTED)) element.remove();
  for (const element of root.querySelectorAll<HTMLElement | SVGElement>('*')) {
    if (hasForeignUrl(element.style?.cssText ?? '')) element.removeAttribute('style');
    for (const { name } of [...element.attributes]) {
      if (/^on/i.test(name) || name === 'srcdoc') element.removeAttribute(name);
    }
  }
  for (const style of root.querySelectorAll('style')) {
    if (hasForeignUrl(style.textContent)) style.remove();
  }
}

/** Whether a style contains a URL outside the document. */
export function hasForeignUrl(style: string): boolean {
  return /(?:url|image-set)\((?!["']?(?:blob|data):)|@import/i.test(style);
}

/** Whether a picture belongs to the document. Any other would tell its server who reads the document. */
export function isOwnPicture(address: string | null): boolean {
  return address === null || /^(?:blob:|data:image\/)/i.test(address);
}

/** Lets a link of HTML or SVG open a page of the web in a new tab. Returns false if it leads elsewhere. */
export function openOutside(link: Element, address: string): boolean {
  if (!SAFE_LINK.test(address)) return false;
  link.setAttribute('href', address);
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer nofollow');
  return true;
}

const PICTURE_TYPES: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ svg: 'image/svg+xml', bmp: 'image/bmp', avif: 'image/avif' },
};

/** A URL for a picture of the document. Undefined if browsers cannot show such pictures. */
export function toPictureUrl(name: string, bytes: Uint8Array<ArrayBuffer>): string | undefined {
  const type = PICTURE_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
  return type === undefined ? undefined : URL.createObjectURL(new Blob([bytes], { type }));
}

/** The pictures of a package, each with one URL, however often it is shown. */
export class PackagePictures {
  readonly #files: Package;
  readonly #urls = new Map<string, string | undefined>();

  constructor(files: Package) {
    this.#files = files;
  }

  urlOf(name: string): string | undefined {
    const bytes = this.#files.get(name);
    if (bytes !== undefined && !this.#urls.has(name)) this.#urls.set(name, toPictureUrl(name, bytes));
    return this.#urls.get(name);
  }
}
