import type { SkillEntrypoint } from "../types/skill-definition.ts";

/** A part of a skill's body under a heading. */
export interface SkillSection {
  /** Of the heading, in UTF-16 code units of the body. */
  readonly start: number;
  /** The lines below the heading. */
  readonly text: string;
  /** Of these lines, in UTF-16 code units of the body. */
  readonly textStart: number;
}

/** A `### name` block of the tools of a skill. */
export interface ToolBlock extends SkillSection {
  readonly name: string;
}

interface Heading {
  readonly level: number;
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

/** A heading of level two or three, or what opens or closes a code block. */
const mark = /^(?:(#{2,3})[ \t]+(.*?)[ \t]*#*[ \t]*|(?: {0,3})(`{3,}|~{3,})(.*?)[ \t]*)\r?$/gm;
/** What makes a block below a heading a tool: prose under `## Tools` is prose. */
const toolKey = /^(?:entrypoint|schema)[ \t]*:/m;

/** The text of a skill that a model receives. Of one with tools under `## Tools` only what is before them, and only if `alwaysInject`. */
export function skillText(body: string, alwaysInject: boolean): string {
  const tools = toolsSection(body);
  if (tools === undefined) return body.trim();
  return alwaysInject ? withoutPermissions(body.slice(0, tools.start)).trim() : "";
}

/** The section `## Tools` of a structured skill; undefined if the body has none, or only prose under this heading. */
export function toolsSection(body: string): SkillSection | undefined {
  // Quick looks first: few skills have such a section, and the walk through all headings takes longer.
  if (!body.includes("entrypoint") && !body.includes("schema")) return undefined;
  if (!toolKey.test(body) || !/^##[ \t]+tools/im.test(body)) return undefined;
  return sectionsOf(body, "tools").find((section) => toolBlocks(section).some(({ text }) => toolKey.test(text)));
}

/** The `### name` blocks of a section. */
export function toolBlocks({ text, textStart }: SkillSection): readonly ToolBlock[] {
  const headings = headingsOf(text).filter(({ level }) => level === 3);
  return headings.map(({ title, start, end }, index) => ({
    name: title.replace(/^`(.*)`$/, "$1"),
    start: textStart + start,
    text: text.slice(end, headings[index + 1]?.start ?? text.length),
    textStart: textStart + end,
  }));
}

/** The lines of a structured skill's `## Permissions`. */
export function permissionLines(body: string): readonly string[] {
  if (!/^##[ \t]+permissions/im.test(body)) return [];
  const lines = sectionsOf(body, "permissions").flatMap(({ text }) => text.split(/\r\n?|\n/));
  return lines.map((line) => line.trim().replace(/^[-*][ \t]+/, "")).filter((line) => line !== "");
}

function withoutPermissions(text: string): string {
  return sectionsOf(text, "permissions").reduceRight(
    (left, section) => left.slice(0, section.start) + left.slice(section.textStart + section.text.length),
    text,
  );
}

/** The sections below the level-two headings of a title, in any case. */
function sectionsOf(body: string, title: string): readonly SkillSection[] {
  const headings = headingsOf(body).filter(({ level }) => level === 2);
  return headings.flatMap((one, index) => {
    if (one.title.replace(/:$/, "").toLowerCase() !== title) return [];
    const end = headings[index + 1]?.start ?? body.length;
    return [{ start: one.start, text: body.slice(one.end, end), textStart: one.end }];
  });
}

/** The headings of levels two and three; one in a code block is none. */
function headingsOf(text: string): readonly Heading[] {
  const found: Heading[] = [];
  let opening: string | undefined;
  for (const match of text.matchAll(mark)) {
    const [line, hashes, title = "", fence, info = ""] = match;
    if (hashes === undefined) {
      opening = fenceAfter(opening, fence ?? "", info);
    } else if (opening === undefined) {
      const next = match.index + line.length;
      const end = text.startsWith("\n", next) ? next + 1 : next;
      found.push({ level: hashes.length, title, start: match.index, end });
    }
  }
  return found;
}

/** What opened the code block that is open after a fence; undefined if none is. */
function fenceAfter(opening: string | undefined, fence: string, info: string): string | undefined {
  if (opening === undefined) return fence;
  return fence.startsWith(opening) && info === "" ? undefined : opening;
}

/** As an author writes it, such as `bash:cat {path}`. */
export function entrypointText({ scheme, target }: SkillEntrypoint): string {
  if (scheme === "unknown") return target;
  return `${scheme}${scheme.includes(":") ? " " : ":"}${target}`;
}
