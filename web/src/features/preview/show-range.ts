/** The text is shown below this part of the height, after some lines of its context. */
const ABOVE = 0.3;

/** Scrolls to a part of the text of a scrolling element, in which wide parts may scroll sideways themselves. */
export function showRange(root: HTMLElement, range: Range): void {
  for (let box = range.startContainer.parentElement; box !== null; box = box.parentElement) {
    if (box.scrollWidth > box.clientWidth) showSideways(box, range);
    if (box === root) break;
  }
  const top = range.getBoundingClientRect().top - root.getBoundingClientRect().top;
  root.scrollTop += top - root.clientHeight * ABOVE;
}

function showSideways(box: HTMLElement, range: Range): void {
  const text = range.getBoundingClientRect();
  const { left, right } = box.getBoundingClientRect();
  if (text.right > right || text.left < left) box.scrollLeft += text.left - left - box.clientWidth / 2;
}
