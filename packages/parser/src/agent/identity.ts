import { closest, defined } from "@mdx-ai/base";
import type { Heading, Root } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import type { Transformer } from "unified";
import { documentParts } from "../elements/document-parts.ts";
import { parseMarkdown } from "../markdown/markdown.ts";
import { reportTo } from "../markdown/messages.ts";
import { proseSlicer } from "../markdown/prose-slices.ts";
import { type Block, endOf, startOf } from "../markdown/syntax-tree.ts";
import { quoted, type Report } from "../report.ts";
import type { AgentIdentity } from "../types/agent-definition.ts";
import type { AgentSettings } from "../types/agent-settings.ts";
import {
  headingText,
  itemsOf,
  type Prose,
  type Section,
  type SectionName,
  sectionNames,
  sectionsOf,
  staticName,
} from "./sections.ts";

declare module "vfile" {
  interface DataMap {
    identity: AgentIdentity;
  }
}

/** The name of an agent without one, by the specification. */
const unnamed = "UnnamedAgent";

/** The identity of an agent without any text. */
export const NO_IDENTITY: AgentIdentity = {
  name: unnamed,
  prose: "",
  introduction: "",
  purpose: "",
  capabilities: [],
  constraints: [],
  personality: "",
  sections: [],
};

/** What serves if the document does not say it. */
export type IdentityFallback = Pick<AgentSettings, "name" | "description" | "sections">;

/** The identity of the agent, and the headings that define it. */
interface IdentityReading {
  readonly identity: AgentIdentity;
  /** What serves as the purpose; absent if the document states it, or if nothing does. */
  readonly purposeFrom?: "description" | "opening paragraph";
  /** Absent if no heading names the agent. */
  readonly title?: Heading;
  /** Second sections of a known name; the texts of both are joined. */
  readonly repeated: readonly Heading[];
  /** The headings that start sections, the title's included. */
  readonly sections: readonly Heading[];
}

/** A plugin that reads the identity. Must be used after that of the tools. */
export const identity = (): Transformer<Root> => (tree, file) => {
  const text = String(file);
  const { settings = {} } = file.data.settings ?? {};
  const { cuts = [], elements = [] } = file.data.parts ?? {};
  const slice = proseSlicer(text, cuts);
  const reading = readIdentity({ blocks: tree.children, end: text.length, slice }, settings);
  file.data.identity = reading.identity;
  const report = reportTo(file);
  const isNamed = reading.title !== undefined || settings.name !== undefined;
  if (!isNamed && file.data.hasLostElements !== true) reportUnnamed(reading, report);
  // A component may state the purpose.
  reportSections(reading, { isOneText: settings.sections === "off", mayHide: elements.length > 0 }, report);
};

/**
 * Reads who the agent is from the headings. The first `Agent: Name` heading is the title; a heading of a known name
 * starts that section at any depth; another heading starts a section of its own unless it is deeper within one. Without a
 * purpose the description of the fallback serves, else the opening paragraph.
 */
function readIdentity(prose: Prose, fallback: IdentityFallback): IdentityReading {
  const isOneText = fallback.sections === "off";
  const sections = isOneText ? [] : sectionsOf(prose);
  const of = (kind: Section["kind"]): readonly Section[] => sections.filter((section) => section.kind === kind);
  const text = (name: SectionName): string => joinTexts(of(name).map((section) => section.body));
  const items = (name: SectionName): readonly string[] =>
    of(name).flatMap((section) => itemsOf(section.blocks, prose.slice));
  const title = of("title")[0];
  const first = sections[0];
  const before = prose.slice(0, first === undefined ? prose.end : startOf(first.heading));
  const written = { introduction: joinTexts([before, title?.body ?? ""]), purpose: text("purpose") };
  const blocks = [...blocksBefore(prose.blocks, first?.heading), ...(title?.blocks ?? [])];
  const { purposeFrom, ...stated } = isOneText
    ? { ...written, purposeFrom: undefined }
    : withPurpose(written, prose, blocks, fallback.description?.trim());
  const identity: AgentIdentity = {
    name: (title === undefined ? undefined : staticName(title.heading)) ?? fallback.name ?? unnamed,
    ...stated,
    capabilities: items("capabilities"),
    constraints: items("constraints"),
    personality: text("personality"),
    prose: joinTexts([
      purposeFrom === "description" ? `## Purpose\n\n${stated.purpose}` : "",
      prose.slice(0, prose.end),
    ]),
    sections: of("other").map((section) => ({ title: headingText(section.heading), body: section.body })),
  };
  const repeated = sectionNames.flatMap((name) => of(name).slice(1)).map((section) => section.heading);
  return {
    identity,
    ...defined({ purposeFrom }),
    repeated,
    sections: sections.map((section) => section.heading),
    ...(title === undefined ? {} : { title: title.heading }),
  };
}

function blocksBefore(blocks: readonly Block[], heading: Heading | undefined): readonly Block[] {
  return heading === undefined ? blocks : blocks.filter((block) => endOf(block) <= startOf(heading));
}

/** The parts of an identity that a missing purpose concerns. */
type StatedPurpose = Pick<AgentIdentity, "introduction" | "purpose">;

/** The opening paragraph leaves the introduction if it serves as the purpose, so that a prompt holds it once. */
function withPurpose(
  stated: StatedPurpose,
  prose: Prose,
  blocks: readonly Block[],
  description: string | undefined,
): StatedPurpose & Pick<IdentityReading, "purposeFrom"> {
  if (stated.purpose !== "") return stated;
  if (description) return { ...stated, purpose: description, purposeFrom: "description" };
  const opening = blocks.find(isOpening);
  const purpose = opening === undefined ? "" : prose.slice(startOf(opening), endOf(opening)).trim();
  const start = stated.introduction.indexOf(purpose);
  if (purpose === "" || start === -1) return stated;
  const [before, after] = [stated.introduction.slice(0, start), stated.introduction.slice(start + purpose.length)];
  return {
    introduction: joinTexts([before.trimEnd(), after.replace(/^\s*\n/, "")]),
    purpose,
    purposeFrom: "opening paragraph",
  };
}

/** A paragraph with text, other than a bold line used as a heading. */
function isOpening(block: Block): boolean {
  if (block.type !== "paragraph" || textOf(block).trim() === "") return false;
  return block.children.some(({ type }) => type !== "strong" && type !== "break");
}

function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** Reads the identity from plain Markdown, such as a rendered program, as the settings of its file say. Throws if it is too complex. */
export function parseIdentity(markdown: string, fallback: IdentityFallback = {}): AgentIdentity {
  const tree = parseMarkdown(markdown);
  const slice = proseSlicer(markdown, documentParts(tree, markdown).cuts);
  return readIdentity({ blocks: tree.children, end: markdown.length, slice }, fallback).identity;
}

function reportSections(
  reading: IdentityReading,
  { isOneText, mayHide }: { readonly isOneText: boolean; readonly mayHide: boolean },
  report: Report,
): void {
  const { identity, purposeFrom, repeated } = reading;
  const isStated =
    (isOneText && identity.introduction !== "") || (identity.purpose !== "" && purposeFrom === undefined);
  if (!isStated && !mayHide) reportNoPurpose(reading, report);
  for (const heading of repeated) {
    const message = `second section ${quoted(headingText(heading))}`;
    report({ rule: "section-duplicate", offset: startOf(heading), message, hint: "merge the two; both are used" });
  }
}

/** An error, unless something else serves. */
function reportNoPurpose({ title, sections, purposeFrom }: IdentityReading, report: Report): void {
  const empty = sections.find((heading) => /^purpose\s*:?$/i.test(headingText(heading)));
  const misspelled = sections.find((heading) => closest(headingText(heading), ["purpose"]) !== undefined);
  const missing = empty === undefined ? "the agent has no purpose" : "the section `## Purpose` is empty";
  const used = purposeFrom === "description" ? "the `description` of the frontmatter" : "its opening paragraph";
  report({
    rule: "purpose-missing",
    offset: startOf(empty ?? misspelled ?? title ?? sections[0] ?? { type: "root", children: [] }),
    ...(purposeFrom === undefined ? {} : { severity: "warning" }),
    message: purposeFrom === undefined ? missing : `${missing}: ${used} is used`,
    hint:
      empty === undefined && misspelled !== undefined
        ? "did you mean `## Purpose`?"
        : "write a heading `## Purpose` and below it what the agent is for",
  });
}

function reportUnnamed({ sections }: IdentityReading, report: Report): void {
  const first = sections.find((heading) => heading.depth === 1);
  const name = first === undefined ? "" : headingText(first).replace(/^agent\b[\s:\uFF1A]*/i, "");
  report({
    rule: "name-missing",
    offset: first === undefined ? 0 : startOf(first),
    message: "the agent has no name",
    hint: `write \`# Agent: ${name || "Name"}\`, or \`name\` in the frontmatter; until then it is called ${unnamed}`,
  });
}
