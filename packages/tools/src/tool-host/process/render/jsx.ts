/** The nodes of a hypertext tree (hast) that rendering creates. */
export interface HypertextElement {
  readonly type: "element";
  readonly tagName: string;
  readonly properties: Record<string, string | number | boolean | string[]>;
  readonly children: HypertextNode[];
}

interface HypertextText {
  readonly type: "text";
  readonly value: string;
}

export type HypertextNode = HypertextElement | HypertextText;

/** The result of JSX: an unresolved element. */
export class JsxElement {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;

  constructor(type: unknown, props: Readonly<Record<string, unknown>>) {
    this.type = type;
    this.props = props;
  }
}

/** The type of an element without a name, `<>…</>`. */
const Fragment: unique symbol = Symbol("Fragment");

/** Creates an element; called by the JSX transform. Components run when the element is resolved. */
export function jsx(type: unknown, props?: Readonly<Record<string, unknown>> | null): JsxElement {
  return new JsxElement(type, props ?? {});
}

/** The modules that compiled JSX imports, including React's, so that an imported .tsx file needs no configuration. */
export const jsxModules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
  ["mdx-ai", "react"].flatMap((source) => [
    [`${source}/jsx-runtime`, { jsx, jsxs: jsx, Fragment }],
    [`${source}/jsx-dev-runtime`, { jsxDEV: jsx, Fragment }],
  ]),
);

/** A document contains a value that cannot be rendered, such as an object or a function. */
class NotRenderableError extends Error {
  override readonly name = "NotRenderableError";
}

/** The deepest nesting of components; a component that calls itself would never end. */
const DEPTH_LIMIT = 500;

type Component = (props: Readonly<Record<string, unknown>>) => unknown;

/**
 * Calls the components of a tree in document order, including asynchronous ones, and returns their output. Rejects with
 * `NotRenderableError`, or the error of a component.
 */
export async function resolveElements(value: unknown, depth = 0): Promise<HypertextNode[]> {
  if (depth > DEPTH_LIMIT) throw new NotRenderableError("components are nested endlessly");
  const node = await value;
  if (node === null || node === undefined || typeof node === "boolean") return [];
  if (typeof node === "string" || typeof node === "number" || typeof node === "bigint") {
    return [{ type: "text", value: String(node) }];
  }
  if (node instanceof JsxElement) return resolveElement(node, depth);
  if (typeof node === "object" && Symbol.iterator in node) return resolveAll(node, depth);
  throw new NotRenderableError(`unexpected ${describe(node)}, expected text, a number, an element or a list of them`);
}

async function resolveAll(nodes: object, depth: number): Promise<HypertextNode[]> {
  const resolved: HypertextNode[] = [];
  for (const node of Array.from(Object(nodes))) resolved.push(...(await resolveElements(node, depth + 1)));
  return resolved;
}

async function resolveElement({ type, props }: JsxElement, depth: number): Promise<HypertextNode[]> {
  if (isComponent(type)) return resolveElements(type(props), depth + 1);
  const children = await resolveElements(props["children"], depth + 1);
  if (type === Fragment) return children;
  if (typeof type !== "string") throw new NotRenderableError(`unexpected ${describe(type)} as a component`);
  return [{ type: "element", tagName: type, properties: propertiesOf(props), children }];
}

function propertiesOf(props: Readonly<Record<string, unknown>>): Record<string, string | number | boolean | string[]> {
  const properties: Record<string, string | number | boolean | string[]> = {};
  for (const [name, value] of Object.entries(props)) {
    if (name === "children") continue;
    if (name === "className" || name === "class") properties["className"] = String(value).split(/\s+/);
    else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      properties[name] = value;
  }
  return properties;
}

function isComponent(type: unknown): type is Component {
  return typeof type === "function";
}

function describe(value: unknown): string {
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  return `an object with the keys ${Object.keys(value).slice(0, 5).join(", ") || "(none)"}`;
}
