/** A line of a tree, styled, and what hangs on it. */
export interface TreeNode {
  readonly line: string;
  readonly children: readonly TreeNode[];
}

/** A tree in lines of at most so many columns; what does not fit ends in "…". */
export function drawTree(root: TreeNode, columns: number): readonly string[] {
  return [fitted(root.line, columns), ...branches(root.children, "", columns)];
}

function branches(nodes: readonly TreeNode[], indent: string, columns: number): readonly string[] {
  return nodes.flatMap(({ line, children }, at) => {
    const isLast = at === nodes.length - 1;
    const own = fitted(`${indent}${isLast ? "└─ " : "├─ "}${line}`, columns);
    return [own, ...branches(children, `${indent}${isLast ? "   " : "│  "}`, columns)];
  });
}

function fitted(line: string, columns: number): string {
  if (Bun.stringWidth(line) <= columns) return line;
  const cut = Bun.sliceAnsi(line, 0, columns, "…");
  // A character of two columns may stick out by one.
  return Bun.stringWidth(cut) <= columns ? cut : Bun.sliceAnsi(line, 0, columns - 1, "…");
}
