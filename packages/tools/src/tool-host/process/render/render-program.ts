import { SourceMap } from "node:module";
import { isRecord } from "@mdx-ai/base";
import type { SourcePoint } from "@mdx-ai/parser";
import { ELEMENT_NAMES } from "@mdx-ai/parser/element-names";
import { plugin } from "bun";
import { defaultHandlers, type Handle, toMdast } from "hast-util-to-mdast";
import { type Options, toMarkdown } from "mdast-util-to-markdown";
import { extensionWriters, MARKDOWN_STYLE } from "../../../markdown-writing.ts";
import type { AgentFile } from "../../host-messages.ts";
import { type HypertextElement, type HypertextNode, jsx, jsxModules, resolveElements } from "./jsx.ts";

const INLINE_MAP = /\n\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)\s*$/;

/**
 * Evaluates a compiled document as the module at the path of the agent's file, and returns its Markdown. Rejects with the error
 * of its code.
 */
export async function renderProgram({ path }: AgentFile, program: string): Promise<string> {
  plugin({
    name: "agent-document",
    setup: (build) => {
      for (const [name, exports] of Object.entries(jsxModules))
        build.module(name, () => ({ exports, loader: "object" }));
      build.module(path, () => ({ contents: program, loader: "js" }));
    },
  });
  const module: unknown = await import(path);
  const document = jsx(isRecord(module) ? module["default"] : undefined);
  return hypertextToMarkdown(await resolveElements(document));
}

/** Maps a position in a compiled program to its document. */
export type ProgramMap = (point: SourcePoint) => SourcePoint | undefined;

/** The source map in the last line of a program; without one, positions are unknown. */
export function programMap(program: string): ProgramMap {
  const [, encoded] = INLINE_MAP.exec(program) ?? [];
  if (encoded === undefined) return () => undefined;
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString("utf8")));
  return ({ line, column }) => {
    const entry: unknown = map.findEntry(line - 1, column - 1);
    if (!isRecord(entry) || typeof entry["originalLine"] !== "number") return undefined;
    return { line: entry["originalLine"] + 1, column: Number(entry["originalColumn"]) + 1 };
  };
}

type Handlers = NonNullable<Options["handlers"]>;
type Write = NonNullable<Handlers["text"]>;
type MarkdownNode = Parameters<typeof toMarkdown>[0];
type Text = Extract<MarkdownNode, { type: "text" }>;

/** Writes a hypertext tree as Markdown. Elements outside HTML keep their tags: prompts often use them as markup. */
function hypertextToMarkdown(children: readonly HypertextNode[]): string {
  const document = { type: "root" as const, children: withLiteralTags(children) };
  const tree = toMdast(document, { newlines: true, handlers: { [TAG]: literalTag } });
  return toMarkdown(tree, { ...MARKDOWN_STYLE, handlers });
}

/** The element for a literal tag; it counts as visible content, so that spaces beside it are kept. */
const TAG = "embed";

/** Replaces each unknown element by its opening tag, its content and its closing tag. */
function withLiteralTags(nodes: readonly HypertextNode[]): HypertextNode[] {
  return nodes.flatMap((node) => {
    if (node.type === "text") return [node];
    const children = withLiteralTags(node.children);
    if (Object.hasOwn(defaultHandlers, node.tagName)) return [{ ...node, children }];
    const opening = [node.tagName, ...Object.entries(node.properties).map(attributeText)].join(" ");
    if (children.length === 0) return [tagElement(`<${opening} />`)];
    return [tagElement(`<${opening}>`), ...children, tagElement(`</${node.tagName}>`)];
  });
}

function tagElement(text: string): HypertextElement {
  return { type: "element", tagName: TAG, properties: { text }, children: [] };
}

const literalTag: Handle = (_state, element) => {
  const { text } = element.properties;
  return typeof text === "string" ? { type: "html", value: text } : undefined;
};

function attributeText([name, value]: readonly [string, HypertextElement["properties"][string]]): string {
  if (value === true) return name;
  const text = Array.isArray(value) ? value.join(" ") : String(value);
  return `${name === "className" ? "class" : name}="${text.replaceAll('"', "&quot;")}"`;
}

/** The escape of a `<` that begins no comment and no element of agent.mdx: the model receives such tags as they are. */
const NEEDLESS = new RegExp(String.raw`(?<!\\)((?:\\\\)*)\\<(?!!|/?(?:${ELEMENT_NAMES})\b)`, "g");

const text: Write = (node: Text, _parent, state, info) => state.safe(node.value, info).replace(NEEDLESS, "$1<");

/** Writers for text, and for nodes of Markdown extensions. */
const handlers: Handlers = { text, ...extensionWriters };
