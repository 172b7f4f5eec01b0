// Shows the content of a text document or presentation in order: headings, paragraphs, lists, tables and pictures. It runs
// in a sandbox without an origin. Its content security policy lets nothing else run or load.
import { DocumentError, runFrame } from './frame.ts';
import { openPackage } from './open-package.ts';
import { renderOpenDocument } from './open-text.ts';
import { renderSlides } from './slides.ts';

/** The XML files that are read, and pictures. */
const WANTED = /^(?:content\.xml|styles\.xml|Pictures\/|ppt\/(?:presentation\.xml|slides\/|_rels\/|media\/))/;

runFrame(async ({ bytes, labels }) => {
  const files = await openPackage(bytes, (name) => WANTED.test(name));
  const content = files.has('content.xml')
    ? renderOpenDocument(files)
    : renderSlides(files, labels.cutSlides);
  if (content.childElementCount === 0) throw new DocumentError('damaged');
  // Focusable, because the keyboard can scroll only focusable elements.
  content.tabIndex = 0;
  document.body.replaceChildren(content);
});
