import { defined, didYouMean } from "@mdx-ai/base";
import { mapOf, validate } from "@mdx-ai/base/schema";
import { readYamlMap } from "@mdx-ai/base/yaml";
import type { Heading } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { spokenInterval } from "../interval.ts";
import { parseMarkdown } from "../markdown/markdown.ts";
import { hangingText } from "../markdown/prose-slices.ts";
import { type Block, endOf, startOf, yamlStart } from "../markdown/syntax-tree.ts";
import { isTooComplex, tooComplex } from "../markdown/watchdog.ts";
import { byPosition, locate, quoted, type Report } from "../report.ts";
import { SourceText } from "../source-text.ts";
import type { HeartbeatDefinition, RoutineTask } from "../types/agent-definition.ts";
import type { Diagnostic } from "../types/diagnostic.ts";
import { parseRoutineLine } from "./routine-time.ts";

/** What heartbeat.md says. */
export interface ParsedHeartbeat {
  readonly heartbeat: HeartbeatDefinition;
  /** By position. */
  readonly diagnostics: readonly Diagnostic[];
}

const sectionNames = ["schedule", "on wake", "routine tasks", "context reconstruction"] as const;
const sectionTitles = ["Schedule", "On Wake", "Routine Tasks", "Context Reconstruction"] as const;
type SectionName = (typeof sectionNames)[number];

interface Line {
  readonly text: string;
  readonly offset: number;
}

type Lines = Readonly<Record<SectionName, readonly Line[]>>;

/** Reads the text of a heartbeat.md, which is plain Markdown. Never throws; a line that cannot be read is a diagnostic. */
export function parseHeartbeat(text: string, file = "heartbeat.md"): ParsedHeartbeat {
  const source = new SourceText(text);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (problem) => diagnostics.push(locate(problem, source, file));
  const lines = linesOfSections(source.text, report);
  const interval = intervalOf(lines.schedule, report);
  const heartbeat = {
    ...defined({ interval }),
    onWake: lines["on wake"].map((line) => line.text),
    routines: lines["routine tasks"].flatMap((line) => routineOf(line, source, report)),
    contextReconstruction: lines["context reconstruction"].map((line) => line.text),
  };
  const isEmpty = Object.values(lines).every((section) => section.length === 0);
  if (isEmpty && diagnostics.length === 0) reportEmpty(report);
  return { heartbeat, diagnostics: diagnostics.sort(byPosition) };
}

function reportEmpty(report: Report): void {
  const message = "heartbeat.md has neither a schedule nor tasks";
  report({
    rule: "heartbeat-empty",
    offset: 0,
    message,
    hint: "write `@every: 15m` under `## Schedule`, or delete the file",
  });
}

function linesOfSections(text: string, report: Report): Lines {
  const lines: Record<SectionName, Line[]> = {
    schedule: [],
    "on wake": [],
    "routine tasks": [],
    "context reconstruction": [],
  };
  let section: SectionName | "before" | "unknown" = "before";
  for (const block of blocksOf(text, report)) {
    if (block.type === "yaml") lines.schedule.push(...frontmatterLines(block.value, yamlStart(block, text), report));
    else if (block.type === "heading") section = sectionOf(block, report);
    else if (section === "before")
      lines.schedule.push(...linesOf(block, text, "each").filter((line) => isSchedule(line, report)));
    else if (section !== "unknown") {
      const isTimed = section === "schedule" || section === "routine tasks";
      lines[section].push(...linesOf(block, text, isTimed ? "each" : "joined"));
    }
  }
  return lines;
}

function blocksOf(text: string, report: Report): readonly Block[] {
  try {
    return parseMarkdown(text).children;
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    report(tooComplex(error, text));
    return [];
  }
}

function sectionOf(heading: Heading, report: Report): SectionName | "before" | "unknown" {
  const title = textOf(heading).trim();
  const plain = title.replace(/\s*:$/, "").toLowerCase();
  const known = sectionNames.find((name) => name === plain || (name === "routine tasks" && /^routines?$/.test(plain)));
  if (known !== undefined) return known;
  if (heading.depth === 1) return "before";
  report({
    rule: "heartbeat-section",
    offset: startOf(heading),
    message: `unexpected section ${quoted(title)}, expected Schedule, On Wake, Routine Tasks or Context Reconstruction`,
    hint: didYouMean(title, sectionTitles, "remove the section: it has no effect"),
  });
  return "unknown";
}

function isSchedule(line: Line, report: Report): boolean {
  if (/^@/.test(line.text)) return true;
  const message = `unexpected text ${quoted(line.text)} before the first section, expected a heading such as \`## On Wake\``;
  report({
    rule: "heartbeat-section",
    offset: line.offset,
    message,
    hint: "move it below a heading: here it has no effect",
  });
  return false;
}

/** The items of a list, else the lines of a paragraph: each by itself or joined to one. */
function linesOf(block: Block, text: string, paragraphs: "each" | "joined"): readonly Line[] {
  const slice = (start: number, end: number): string => text.slice(start, end).replace(/\r\n?/g, "\n").trimEnd();
  switch (block.type) {
    case "html":
    case "yaml":
    case "thematicBreak":
    case "definition":
      return [];
    case "list":
      return block.children
        .map((item) => ({ text: hangingText(item, slice), offset: startOf(item.children[0] ?? item) }))
        .filter((line) => line.text !== "");
    default:
      return paragraphs === "each"
        ? separateLines(block, text)
        : [{ text: slice(startOf(block), endOf(block)), offset: startOf(block) }];
  }
}

function separateLines(block: Block, text: string): readonly Line[] {
  const lines = text.slice(startOf(block), endOf(block)).matchAll(/[^\s][^\r\n]*/g);
  return Array.from(lines, (line) => ({ text: line[0].trim(), offset: startOf(block) + line.index }));
}

function intervalOf(lines: readonly Line[], report: Report): number | undefined {
  let interval: number | undefined;
  for (const line of lines) {
    const read = scheduleOf(line.text);
    if (read === undefined) reportSchedule(line, "an interval from 1s to 24d such as `@every: 15m`", report);
    else if (interval !== undefined) reportSchedule(line, "one interval", report);
    interval ??= read;
  }
  return interval;
}

function reportSchedule(line: Line, expected: string, report: Report): void {
  const message = `unexpected schedule ${quoted(line.text)}, expected ${expected}`;
  const hint = "write `@every: 15m`; tasks at times of day belong under `## Routine Tasks`";
  report({ rule: "heartbeat-schedule", offset: line.offset, message, hint });
}

function scheduleOf(text: string): number | undefined {
  const written = text.replaceAll("`", "").trim();
  return spokenInterval(/^(?:@?every\b\s*:?\s*)?(.+)$/i.exec(written)?.[1] ?? "");
}

function routineOf(line: Line, source: SourceText, report: Report): readonly RoutineTask[] {
  const read = parseRoutineLine(line.text);
  if (read.type === "routine") return [{ name: read.name, time: read.time, position: source.pointAt(line.offset) }];
  const message = `unexpected routine task ${quoted(line.text)}, expected ${read.expected}`;
  report({ rule: "heartbeat-routine", offset: line.offset, message, hint: read.hint });
  return [];
}

const frontmatter = mapOf<{ readonly schedule?: unknown }>("the settings of heartbeat.md", "write `schedule: 15m`", {
  schedule: {},
});

/** Reads the YAML of heartbeat.md's frontmatter, which begins at the offset `base`: `schedule`, the interval. Never throws. */
function frontmatterLines(text: string, base: number, report: Report): readonly Line[] {
  const yaml = readYamlMap(text);
  for (const { offset, message } of yaml.problems) {
    report({
      rule: "frontmatter-syntax",
      offset: base + offset,
      message: `cannot parse the YAML (${message})`,
      hint: "write `schedule: 15m`",
    });
  }
  const { value: { schedule } = {}, problems } = validate(frontmatter, yaml);
  for (const { range, message, hint } of problems) {
    report({ rule: "setting-unknown", offset: base + range.start, message, hint });
  }
  if (schedule === undefined) return [];
  const written = typeof schedule === "string" ? schedule.trim() : JSON.stringify(schedule);
  return [{ text: written, offset: base + yaml.range(["schedule"], "value").start }];
}
