import { createVisitors } from "estree-util-scope";
import { walk } from "estree-walker";

/** A node of JavaScript, as the parser gives it. */
export type JavaScript = Parameters<typeof walk>[0];
type Key = string | number | symbol | null | undefined;

/**
 * The names that code looks up outside itself, each once, in the order of the text; the components of its JSX too. Throws a
 * RangeError for code that is nested deeper than the stack.
 */
export function freeNames(code: JavaScript): readonly string[] {
  const { enter, exit, scopes } = createVisitors();
  const names = new Set<string>();
  walk(code, {
    enter(node, parent, key) {
      enter(node);
      const name = lookedUp(node, parent, key);
      if (name !== undefined && !scopes.some(({ defined }) => defined.includes(name))) names.add(name);
    },
    leave: exit,
  });
  return [...names];
}

/** The name that a node looks up; undefined for a key, a member, a label and all that is no name. */
function lookedUp(node: JavaScript, parent: JavaScript | null, key: Key): string | undefined {
  if (node.type === "JSXIdentifier") return isComponentName(node.name, parent, key) ? node.name : undefined;
  return node.type === "Identifier" && !isOnlyAName(parent, key) ? node.name : undefined;
}

function isComponentName(name: string, parent: JavaScript | null, key: Key): boolean {
  if (parent?.type === "JSXMemberExpression") return key === "object";
  return parent?.type === "JSXOpeningElement" && key === "name" && !/^[a-z]/.test(name);
}

function isOnlyAName(parent: JavaScript | null, key: Key): boolean {
  switch (parent?.type) {
    case "MemberExpression":
      return key === "property" && !parent.computed;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return key === "key" && !parent.computed;
    case "ClassExpression":
    case "FunctionExpression":
      return key === "id";
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return key === "label";
    default:
      return parent?.type === "MetaProperty";
  }
}
