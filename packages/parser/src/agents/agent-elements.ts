import { isVisible } from "@mdx-ai/base";
import type { Root } from "mdast";
import type { Transformer } from "unified";
import { reportTo, sourceOf } from "../markdown/messages.ts";
import { type JsxElement, startOf } from "../markdown/syntax-tree.ts";
import { quoted, type Report } from "../report.ts";
import type { Rule } from "../rules.ts";
import type { SourceText } from "../source-text.ts";
import { type Attributes, type AttributeTable, readAttributes, truthAttribute, truthOf } from "../tools/attributes.ts";
import type { SubagentDefinition } from "../types/subagent-definition.ts";

declare module "vfile" {
  interface DataMap {
    agents: readonly SubagentDefinition[];
  }
}

const table: AttributeTable = {
  ...{ name: {}, description: {}, src: {} },
  background: truthAttribute("attribute-value", "write `background` if a call returns at once"),
};

/** A plugin that reads the `<Agent>` elements. Must be used after that of the tools. */
export const agentElements = (): Transformer<Root> => (_tree, file) => {
  const elements = file.data.parts?.agents ?? [];
  if (elements.length === 0) return;
  const report = reportTo(file);
  const taken = new Set(file.data.tools?.names);
  file.data.agents = elements.flatMap((element) => readAgent(element, sourceOf(file), taken, report));
};

function readAgent(
  element: JsxElement,
  source: SourceText,
  taken: Set<string>,
  report: Report,
): readonly SubagentDefinition[] {
  const attributes = readAttributes(element, table, report);
  const text = (name: "name" | "description" | "src", rule: Rule): string | undefined =>
    textOf(name, rule, { attributes, element, report });
  const name = text("name", "agent-name");
  const description = text("description", "agent-description");
  const src = text("src", "agent-source");
  if (name === undefined || description === undefined || src === undefined) return [];
  const offset = attributes.get("name")?.offset ?? startOf(element);
  if (!isVisible(name) || name.trim() !== name) {
    const message = `the name ${quoted(name)} contains invisible characters`;
    report({ rule: "agent-name", offset, message, hint: "retype the name, without blanks around it" });
    return [];
  }
  if (taken.has(name)) {
    const message = `a tool or an earlier agent already has the name ${quoted(name)}`;
    report({ rule: "agent-name-duplicate", offset, message, hint: "rename the agent" });
    return [];
  }
  taken.add(name);
  const isBackground = truthOf(attributes.get("background")?.value) === true;
  const position = source.pointAt(startOf(element));
  return [{ name, description, src, ...(isBackground && { background: true }), file: "agent.mdx", position }];
}

interface ReadElement {
  readonly attributes: Attributes;
  readonly element: JsxElement;
  readonly report: Report;
}

function textOf(name: string, rule: Rule, { attributes, element, report }: ReadElement): string | undefined {
  const attribute = attributes.get(name);
  if (typeof attribute?.value === "string" && attribute.value.trim() !== "") return attribute.value;
  // One that could not be read is reported already.
  const isWritten = element.attributes.some((other) => "name" in other && other.name === name);
  if (attribute !== undefined || !isWritten) {
    const message = `\`<Agent>\` has no ${name}`;
    const hint = 'write `<Agent name="…" src="…" description="…" />`';
    report({ rule, offset: attribute?.offset ?? startOf(element), message, hint });
  }
  return undefined;
}
