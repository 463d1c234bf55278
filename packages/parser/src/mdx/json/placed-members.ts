import type { Node } from "jsonc-parser";

/** One key of an object with its value. */
export interface PlacedMember {
  readonly name: string;
  readonly key: Node;
  readonly value: Node;
}

/** The members of an object, in the order of the text; none of any other value. */
export function placedMembers(node: Node): readonly PlacedMember[] {
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ name: String(key.value), key, value }],
  );
}
