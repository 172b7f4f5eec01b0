// Shows a text document. It runs in a sandbox without an origin. Its content security policy lets nothing
// else run or load.
import { defaultOptions, type Options, parseAsync, renderDocument } from 'docx-preview';
import { isOwnPicture, openOutside, removeUnsafe } from './elements.ts';
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
  removeUnsafe(paper);
  for (const link of paper.querySelectorAll('a')) cleanLink(link);
  for (const picture of paper.querySelectorAll('img, image, use')) {
    for (const name of ['src', 'href', 'xlink:href', 'srcset']) {
      if (!isOwnPicture(picture.getAttribute(name))) picture.removeAttribute(name);
    }
  }
}

function cleanLink(link: HTMLAnchorElement): void {
  const address = link.getAttribute('href') ?? '';
  // Places in the document.
  if (/^#./.test(address)) return;
  if (!openOutside(link, address)) link.removeAttribute('href');
}

/** Zooms out on narrow screens, so that whole lines are visible. */
function fitPages(paper: HTMLElement): void {
  paper.style.zoom = '1';
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) paper.style.zoom = String(clientWidth / scrollWidth);
}
