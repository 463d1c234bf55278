import { expect, test } from "bun:test";
import { drawTree, type TreeNode } from "./trace-tree.ts";

const node = (line: string, ...children: readonly TreeNode[]): TreeNode => ({ line, children });

test("a tree has a line for each node, with branches before it", () => {
  const tree = node("a", node("b", node("c"), node("d")), node("e", node("f")));
  expect(drawTree(tree, 80)).toStrictEqual(["a", "├─ b", "│  ├─ c", "│  └─ d", "└─ e", "   └─ f"]);
});

test.each(["a", "界", "a界", "\u001b[31m界\u001b[39m", "👩‍👩‍👧", "é"])(
  "no line of %p is wider than it may be",
  (text) => {
    const tree = node(text.repeat(60), node(text.repeat(60), node(text.repeat(60))));
    for (let columns = 10; columns < 40; columns++) {
      for (const line of drawTree(tree, columns)) {
        expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
        expect(Bun.stripANSI(line)).toEndWith("…");
      }
    }
  },
);
