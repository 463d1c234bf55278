import type { Import } from "./imports-of.ts";

/** Every circle that a walk along the imports meets, each as the files on it. */
export function circles(imports: readonly Import[]): readonly (readonly string[])[] {
  const graph = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const found: (readonly string[])[] = [];

  function walk(file: string, path: readonly string[]): void {
    if (path.includes(file)) found.push(path.slice(path.indexOf(file)));
    else if (!done.has(file)) {
      for (const { to } of graph.get(file) ?? []) walk(to, [...path, file]);
      done.add(file);
    }
  }

  for (const file of graph.keys()) walk(file, []);
  return found;
}
