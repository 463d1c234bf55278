/** What JSX makes: an element that waits to be resolved. */
export class JsxElement {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;

  constructor(type: unknown, props: Readonly<Record<string, unknown>>) {
    this.type = type;
    this.props = props;
  }
}

/** The type of an element without a name, `<>…</>`. */
export const Fragment: unique symbol = Symbol("Fragment");

/** Makes an element; the JSX transform calls it. A component is not called before the element is resolved. */
export function jsx(type: unknown, props?: Readonly<Record<string, unknown>> | null): JsxElement {
  return new JsxElement(type, props ?? {});
}

/** The modules that compiled JSX imports; those of React lead here too, so that an imported .tsx file needs no configuration. */
export const jsxModules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
  ["mdx-ai", "react"].flatMap((source) => [
    [`${source}/jsx-runtime`, { jsx, jsxs: jsx, Fragment }],
    [`${source}/jsx-dev-runtime`, { jsxDEV: jsx, Fragment }],
  ]),
);
