import type { createLowlight } from 'lowlight';

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>;
type Element = Extract<Tree['children'][number], { type: 'element' }>;
type Child = Element['children'][number];

/** Inserts an empty element at the start of each line, where the style sheet shows the line's number. */
export function numberLines(tree: Tree, className = ''): Tree {
  let isStart = true;
  const numberLine = (line: Child, value: string): Child[] => {
    const start: Element = {
      type: 'element',
      tagName: 'span',
      properties: { className: [className] },
      children: [],
    };
    const marked = isStart ? [start, line] : [line];
    isStart = value.endsWith('\n');
    return marked;
  };
  const divide = (nodes: readonly Child[]): Child[] =>
    nodes.flatMap((node): Child[] => {
      if (node.type === 'element') return [{ ...node, children: divide(node.children) }];
      if (node.type !== 'text') return [node];
      return node.value.split(/(?<=\n)/).flatMap((value) => numberLine({ ...node, value }, value));
    });
  // The highlighter makes only elements and text.
  return { type: 'root', children: divide(tree.children as Child[]) };
}
