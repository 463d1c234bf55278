/** An arrow of a graph. */
interface Edge {
  readonly from: string;
  readonly to: string;
}

/** Every cycle that a walk along the edges finds, as its edges. Empty only if the graph has none. */
export function circles<Arrow extends Edge>(edges: readonly Arrow[]): readonly (readonly Arrow[])[] {
  const graph = Map.groupBy(edges, ({ from }) => from);
  const done = new Set<string>();
  const found: (readonly Arrow[])[] = [];

  function walk(node: string, path: readonly Arrow[]): void {
    const start = path.findIndex(({ from }) => from === node);
    if (start >= 0) found.push(path.slice(start));
    else if (!done.has(node)) {
      for (const edge of graph.get(node) ?? []) walk(edge.to, [...path, edge]);
      done.add(node);
    }
  }

  for (const node of graph.keys()) walk(node, []);
  return found;
}
