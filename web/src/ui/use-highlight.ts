import { useEffect, useEffectEvent } from 'react';
import { pause } from '../common/timing/pause.ts';

interface FoundText {
  readonly start: number;
  readonly end: number;
}

/** A found part of the text of an element. Its positions are those in the whole text. */
export type FoundRange<F extends FoundText> = F & { readonly range: Range };

/**
 * Finds what to highlight in the text of a node. Each step of the iteration takes little time, and often finds
 * nothing.
 */
type FindInNode<F extends FoundText> = (node: Text) => Iterable<readonly F[]>;

interface HighlightOptions<F extends FoundText> {
  /** The element with the text. Null while there is none. */
  readonly root: HTMLElement | null;
  /** The name of the highlight in the style sheet. */
  readonly name: string;
  /**
   * Begins a search of all nodes. Undefined if nothing is to be found. The function must stay the same while it
   * finds the same.
   */
  readonly find: (() => FindInNode<F>) | undefined;
  /** Called when the content was searched, again after each change. */
  readonly onFound?: (found: readonly FoundRange<F>[]) => void;
}

/** More would slow down the page. */
const MAX_RANGES = 2_000;

/** A long text is searched in slices, so the page stays responsive. */
const SLICE_MS = 12;
/** The time is read after this many steps. */
const STEPS = 200;

/** The attribute of elements in which nothing is found, such as notices of the page itself. */
const UNSEARCHED = '[data-unsearched]';

/**
 * Highlights parts of an element's text without changing its content, which may come and go. Browsers without
 * support show no highlights.
 */
export function useHighlight<F extends FoundText>(options: HighlightOptions<F>): void {
  const { root, name, find, onFound } = options;
  const report = useEffectEvent((found: readonly FoundRange<F>[]) => onFound?.(found));
  useEffect(() => {
    if (root === null || find === undefined) return;
    let frame = 0;
    let search = new AbortController();
    const mark = async () => {
      const { signal } = search;
      const found = await findRanges(root, find(), signal);
      if (signal.aborted) return;
      if (canHighlight()) CSS.highlights.set(name, new Highlight(...found.map(({ range }) => range)));
      report(found);
    };
    const stop = () => {
      search.abort();
      cancelAnimationFrame(frame);
    };
    const observer = new MutationObserver(() => {
      stop();
      search = new AbortController();
      frame = requestAnimationFrame(() => void mark());
    });
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    void mark();
    return () => {
      observer.disconnect();
      stop();
      if (canHighlight()) CSS.highlights.delete(name);
    };
  }, [root, name, find]);
}

/** Whether the browser highlights ranges. */
export function canHighlight(): boolean {
  return 'highlights' in CSS;
}

/** The result is incomplete if the signal was aborted meanwhile. */
async function findRanges<F extends FoundText>(
  root: HTMLElement,
  find: FindInNode<F>,
  signal: AbortSignal,
): Promise<readonly FoundRange<F>[]> {
  const all: FoundRange<F>[] = [];
  let [offset, steps, since] = [0, 0, performance.now()];
  for (const node of textsIn(root)) {
    for (const found of find(node)) {
      for (const part of found) all.push(toRange(node, part, offset));
      if (all.length >= MAX_RANGES) return all;
      steps += 1;
      if (steps % STEPS > 0 || performance.now() - since < SLICE_MS) continue;
      await pause(0);
      if (signal.aborted) return all;
      since = performance.now();
    }
    offset += node.data.length;
  }
  return all;
}

function* textsIn(root: HTMLElement): Generator<Text> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Text && node.parentElement?.closest(UNSEARCHED) === null) yield node;
}

function toRange<F extends FoundText>(node: Text, part: F, offset: number): FoundRange<F> {
  const range = new Range();
  range.setStart(node, part.start);
  range.setEnd(node, part.end);
  return { ...part, range, start: offset + part.start, end: offset + part.end };
}
