import { fileStore } from "@mdx-ai/sessions";

/** The first of `ID-fork`, `ID-fork-2`, … that no session has. */
export function freeName(dataDirectory: string, id: string): string {
  const store = fileStore({ dataDirectory });
  for (let number = 1; ; number++) {
    const name = `${id}-fork${number === 1 ? "" : `-${number}`}`;
    if (!store.has(name)) return name;
  }
}
