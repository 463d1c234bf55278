import type { Nodes } from "mdast";
import { quoted, type Report } from "../../report.ts";
import type { ParameterDefinition } from "../../types/tool-definition.ts";
import { childrenOf, isJsx, type JsxElement, startOf } from "../syntax-tree.ts";

/** Of two parameters with one name the first; the second is reported. */
export function distinctParameters(
  elements: readonly JsxElement[],
  read: (element: JsxElement) => ParameterDefinition | undefined,
  report: Report,
): readonly ParameterDefinition[] {
  const parameters = new Map<string, ParameterDefinition>();
  for (const element of elements) {
    const parameter = read(element);
    if (parameter === undefined) continue;
    if (!parameters.has(parameter.name)) parameters.set(parameter.name, parameter);
    else {
      const message = `second parameter named ${quoted(parameter.name)}`;
      report({ rule: "param-name-duplicate", offset: startOf(element), message, hint: "rename one of the two" });
    }
  }
  return [...parameters.values()];
}

/** The `<Param>` elements of an element, without those of another `<Param>` or of an `<Example>`, in the order of the file. */
export function innerParams(element: JsxElement): readonly JsxElement[] {
  const found: JsxElement[] = [];
  const waiting: Nodes[] = [...element.children].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isJsx(node) && node.name === "Param") found.push(node);
    else if (!isJsx(node) || node.name !== "Example") waiting.push(...[...childrenOf(node)].reverse());
  }
  return found;
}
