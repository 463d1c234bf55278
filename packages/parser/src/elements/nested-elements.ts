import type { Nodes, Parents, Root } from "mdast";
import { childrenOf, isJsx, type JsxElement, startOf } from "../markdown/syntax-tree.ts";

/** A tag that has no partner. */
export interface LoneTag {
  readonly type: "unclosed" | "stray";
  readonly element: JsxElement;
  /** The next nodes after an opening tag, within its parent. */
  readonly after: readonly Nodes[];
}

/**
 * Puts into each element what is between its tags, which must have one parent. Tags without a partner are taken out, and returned by
 * position.
 */
export function nestElements(tree: Root): readonly LoneTag[] {
  const lone: LoneTag[] = [];
  const waiting: Nodes[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ("children" in node && childrenOf(node).some((child) => tagOf(child) !== undefined)) nestChildren(node, lone);
    for (const child of childrenOf(node)) waiting.push(child);
  }
  return lone.sort((one, other) => startOf(one.element) - startOf(other.element));
}

const tagOf = (node: Nodes): JsxElement["data"] =>
  isJsx(node) && node.data?.tag !== undefined ? node.data : undefined;

/** Nodes among which a misspelled closing tag is searched. */
const MAX_AFTER = 100;

interface OpenElement {
  readonly element: JsxElement;
  /** Among the nodes of its parent. */
  readonly index: number;
}

function nestChildren(parent: Parents, lone: LoneTag[]): void {
  const nodes: Nodes[] = [];
  const open: OpenElement[] = [];
  const abandoned = new Set<Nodes>();
  const abandon = ({ element, index }: OpenElement): void => {
    abandoned.add(element);
    lone.push({ type: "unclosed", element, after: nodes.slice(index + 1, index + 1 + MAX_AFTER) });
  };
  const kept = (all: readonly Nodes[]): readonly Nodes[] => all.filter((node) => !abandoned.has(node));
  const close = (closing: JsxElement): void => {
    const [opened, ...unclosed] = open.splice(indexOfOpen(open, closing));
    if (opened === undefined) lone.push({ type: "stray", element: closing, after: [] });
    unclosed.forEach(abandon);
    if (opened !== undefined) fill(opened.element, kept(nodes.splice(opened.index + 1)), closing);
  };
  for (const child of childrenOf(parent)) {
    const tag = tagOf(child)?.tag;
    if (tag === "closing" && isJsx(child)) close(child);
    else nodes.push(child);
    if (tag === "opening" && isJsx(child)) open.push({ element: child, index: nodes.length - 1 });
    if (isJsx(child)) child.data = undefined;
  }
  open.forEach(abandon);
  Object.assign(parent, { children: kept(nodes) });
}

/** The last one of the name; the length of the list if there is none. */
function indexOfOpen(open: readonly OpenElement[], { name }: JsxElement): number {
  const index = open.findLastIndex(({ element }) => element.name === name);
  return index === -1 ? open.length : index;
}

function fill(element: JsxElement, children: readonly Nodes[], closing: JsxElement): void {
  Object.assign(element, { children });
  if (element.position !== undefined && closing.position !== undefined) element.position.end = closing.position.end;
}
