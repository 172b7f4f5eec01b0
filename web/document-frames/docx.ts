// Shows a text document. It runs in a sandbox without an origin. Its content security policy lets nothing
// else run or load.
import { defaultOptions, type Options, parseAsync, renderDocument } from 'docx-preview';
import { runFrame } from './frame.ts';
import { closePackage, openPackage } from './open-package.ts';

const OPTIONS: Partial<Options> = {
  className: 'docx',
  inWrapper: true,
  // Embedded HTML would become frames.
  renderAltChunks: false,
  renderComments: false,
  ignoreLastRenderedPageBreak: false,
  h: (description) => guardPicture(defaultOptions.h(description)),
};

/** Elements that a text document never needs. The content security policy would also block them. */
const UNWANTED = 'script, iframe, frame, object, embed, form, input, button, link, meta, base, audio, video';
/** Allowed link targets, including places in the document. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:|#.)/i;

runFrame(async ({ bytes }) => {
  const checked = await closePackage(await openPackage(bytes));
  const nodes = await renderDocument(await parseAsync(checked, OPTIONS), OPTIONS);
  const paper = document.createElement('main');
  paper.append(...nodes);
  clean(paper);
  document.body.replaceChildren(paper);
  fitPages(paper);
  addEventListener('resize', () => fitPages(paper));
});

/** Checks a picture early, because browsers load it as soon as it has a URL, even outside the page. */
function guardPicture(node: Node): Node {
  if (node instanceof HTMLImageElement) {
    Object.defineProperty(node, 'src', {
      set: (address: unknown) => {
        if (typeof address === 'string' && isOwnPicture(address)) node.setAttribute('src', address);
      },
    });
  }
  return node;
}

function clean(paper: HTMLElement): void {
  for (const element of paper.querySelectorAll(UNWANTED)) element.remove();
  for (const element of paper.querySelectorAll<HTMLElement | SVGElement>('*')) {
    if (hasForeignUrl(element.style.cssText)) element.removeAttribute('style');
    for (const { name } of [...element.attributes]) {
      if (/^on/i.test(name) || name === 'srcdoc') element.removeAttribute(name);
    }
  }
  for (const style of paper.querySelectorAll('style')) {
    if (hasForeignUrl(style.textContent)) style.remove();
  }
  for (const link of paper.querySelectorAll('a')) cleanLink(link);
  for (const picture of paper.querySelectorAll('img, image, use')) {
    for (const name of ['src', 'href', 'xlink:href', 'srcset']) {
      if (!isOwnPicture(picture.getAttribute(name))) picture.removeAttribute(name);
    }
  }
}

function cleanLink(link: HTMLAnchorElement): void {
  const address = link.getAttribute('href') ?? '';
  if (!SAFE_LINK.test(address)) return void link.removeAttribute('href');
  if (address.startsWith('#')) return;
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
}

/** Whether a picture belongs to the document. Any other would tell its server who reads the document. */
function isOwnPicture(address: string | null): boolean {
  return address === null || /^(?:blob:|data:image\/)/i.test(address);
}

/** Whether a style contains a URL outside the document. */
function hasForeignUrl(style: string): boolean {
  return /(?:url|image-set)\((?!["']?(?:blob|data):)|@import/i.test(style);
}

/** Zooms out on narrow screens, so that whole lines are visible. */
function fitPages(paper: HTMLElement): void {
  paper.style.zoom = '1';
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) paper.style.zoom = String(clientWidth / scrollWidth);
}
