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

/** An index that a list of the file does not have. */
export interface IndexBeyond {
  /** The code, such as `table[5]`. */
  readonly shown: string;
  /** How many items the list has. */
  readonly length: number;
  /** In the document. */
  readonly offset: number;
}

/** Members of a list that change nothing in it, and hand it to nobody. */
const reading =
  /^(?:length|at|concat|entries|every|filter|find\w*|flat\w*|includes|indexOf|join|keys|lastIndexOf|map|reduce\w*|slice|some|to[A-Z]\w*|values|with)$/;

/**
 * The constant indexes beyond the lists that a document exports and never changes. `exports` are its imports and exports, `codes` the
 * rest of its code.
 */
export function indexesBeyond(exports: readonly JavaScript[], codes: readonly JavaScript[]): readonly IndexBeyond[] {
  const lists = new Map(exports.flatMap(literalLists));
  const uses = lists.size === 0 ? [] : [...exports, ...codes].flatMap((code) => usesOf(code, lists));
  const changed = new Set(uses.flatMap(({ name, isReading }) => (isReading ? [] : [name])));
  return uses.flatMap(({ name, index, offset }) => {
    const length = lists.get(name) ?? 0;
    const isBeyond = index !== undefined && index >= length && !changed.has(name);
    return isBeyond ? [{ shown: `${name}[${index}]`, length, offset }] : [];
  });
}

type NamedLength = readonly [name: string, length: number];

/** The lists of an export that are written item by item. */
function literalLists(program: JavaScript): readonly NamedLength[] {
  const statements = program.type === "Program" ? program.body : [];
  return statements.flatMap((statement) => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined;
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") return [];
    return declaration.declarations.flatMap(({ id, init }): readonly NamedLength[] => {
      if (id.type !== "Identifier" || init?.type !== "ArrayExpression") return [];
      return init.elements.some((item) => item?.type === "SpreadElement") ? [] : [[id.name, init.elements.length]];
    });
  });
}

/** Where code names a list. */
interface Use {
  readonly name: string;
  /** A constant index whose item must be there. */
  readonly index?: number;
  readonly offset: number;
  /** Whether this surely leaves the list as it is. */
  readonly isReading: boolean;
}

function usesOf(code: JavaScript, lists: ReadonlyMap<string, number>): readonly Use[] {
  const uses: Use[] = [];
  const around: JavaScript[] = [];
  walk(code, {
    enter(node, parent, key) {
      const isName = node.type === "Identifier" && lists.has(node.name) && !isKey(parent, key);
      if (isName && parent?.type !== "ExpressionStatement") uses.push(useOf(node.name, parent, around.at(-2)));
      around.push(node);
    },
    leave() {
      around.pop();
    },
  });
  return uses;
}

/** Whether a name is that of a member, or the one that the declaration of the list gives it. */
function isKey(parent: JavaScript | null, key: string | number | symbol | null | undefined): boolean {
  if (parent?.type === "MemberExpression") return key === "property" && !parent.computed;
  if (parent?.type === "Property") return key === "key" && !parent.computed && !parent.shorthand;
  return parent?.type === "VariableDeclarator" && key === "id" && parent.init?.type === "ArrayExpression";
}

/** Anything but a known way of reading may change the list, or define another one of its name. */
function useOf(name: string, parent: JavaScript | null, outer: JavaScript | undefined): Use {
  const unknown = { name, offset: 0, isReading: false };
  if (parent?.type !== "MemberExpression" || parent.object.type !== "Identifier") return unknown;
  if (parent.object.name !== name || isChange(parent, outer)) return unknown;
  const { property } = parent;
  if (!parent.computed) return { ...unknown, isReading: property.type === "Identifier" && reading.test(property.name) };
  const index = property.type === "Literal" && Number.isInteger(property.value) ? Number(property.value) : undefined;
  const offset: unknown = Reflect.get(parent, "start");
  return {
    name,
    offset: typeof offset === "number" ? offset : 0,
    isReading: true,
    ...(index !== undefined && isNeeded(parent, outer) ? { index } : {}),
  };
}

function isChange(member: JavaScript, outer: JavaScript | undefined): boolean {
  if (outer?.type === "AssignmentExpression") return outer.left === member;
  return outer?.type === "UpdateExpression" || (outer?.type === "UnaryExpression" && outer.operator === "delete");
}

/** Whether code shows an item or uses a member of it, without asking whether it is there. */
function isNeeded(item: JavaScript, outer: JavaScript | undefined): boolean {
  if (outer?.type === "MemberExpression") return outer.object === item && !outer.optional;
  if (outer?.type === "CallExpression") return outer.callee === item && !outer.optional;
  return outer?.type === "ExpressionStatement";
}
