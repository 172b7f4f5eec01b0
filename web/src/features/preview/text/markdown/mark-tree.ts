/** Each picture takes two requests. */
const MAX_PICTURES = 100;

/** A node of the tree from which the page is made. */
interface TreeNode {
  readonly type: string;
  readonly tagName?: string;
  readonly properties?: Record<string, unknown>;
  readonly position?: { readonly start: { readonly line: number } } | undefined;
  readonly children?: readonly TreeNode[];
}

/** Marks each block with its line in the source, and leaves out the addresses of too many pictures. */
export function markTree(): (tree: TreeNode) => void {
  return (tree) => {
    for (const { properties, position } of tree.children ?? []) {
      if (properties !== undefined && position !== undefined) properties.dataLine = position.start.line;
    }
    let count = 0;
    const visit = ({ tagName, properties, children = [] }: TreeNode) => {
      if (tagName === 'img') count += 1;
      if (tagName === 'img' && count > MAX_PICTURES) delete properties?.src;
      for (const child of children) visit(child);
    };
    visit(tree);
  };
}
