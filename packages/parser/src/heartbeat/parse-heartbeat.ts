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
import type { HeartbeatDefinition, LocatedModel, RoutineTask } from "../types/agent-definition.ts";
import type { Diagnostic, Parsed } from "../types/diagnostic.ts";
import { isNever } from "./cron.ts";
import { type DirectiveContext, readDirectives } from "./directives.ts";
import { type Line, type TaskLine, timedLines } from "./heartbeat-lines.ts";
import { cronOf, parseRoutineLine } from "./routine-time.ts";

const sectionNames = ["schedule", "on wake", "routine tasks", "context reconstruction"] as const;
const sectionTitles = ["Schedule", "On Wake", "Routine Tasks", "Context Reconstruction"] as const;
type SectionName = (typeof sectionNames)[number];

export interface ParseHeartbeatOptions {
  /** The path that diagnostics name. */
  readonly file?: string;
  /** The names of the inline tools. Absent: `@gate` and `@done` may name any. */
  readonly tools?: readonly string[];
}

export interface ParsedHeartbeat extends Parsed<HeartbeatDefinition> {
  /** In their order. */
  readonly models: readonly LocatedModel[];
}

/** Reads the text of a heartbeat.md, which is plain Markdown. Never throws; a line that cannot be read is a diagnostic. */
export function parseHeartbeat(
  text: string,
  { file = "heartbeat.md", tools }: ParseHeartbeatOptions = {},
): ParsedHeartbeat {
  const source = new SourceText(text);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (problem) => diagnostics.push(locate(problem, source, file));
  const models: LocatedModel[] = [];
  const context: DirectiveContext = { source, report, models, file, tools };
  const sections = sectionsOf(source.text, report);
  const schedule = scheduleOf(sections, source.text, context);
  const tasks = timedLines(sections["routine tasks"], source.text);
  for (const { offset } of tasks.directives) reportLoose(offset, report);
  const [onWake, contextReconstruction] = [sections["on wake"], sections["context reconstruction"]].map((blocks) =>
    blocks.flatMap((block) => textsOf(block, source.text)),
  );
  const definition = {
    ...schedule.definition,
    onWake: onWake ?? [],
    routines: tasks.lines.flatMap((line) => routineOf(line, context)),
    contextReconstruction: contextReconstruction ?? [],
  };
  const counts = [
    schedule.count,
    tasks.lines.length,
    definition.onWake.length,
    definition.contextReconstruction.length,
  ];
  if (counts.every((count) => count === 0) && diagnostics.length === 0) reportEmpty(report);
  return { definition, models, diagnostics: diagnostics.sort(byPosition) };
}

function reportLoose(offset: number, report: Report): void {
  const message = "a directive before the first task, expected it below its task";
  report({ rule: "heartbeat-directive", offset, message, hint: "move it below a task, or under `## Schedule`" });
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

type Sections = Readonly<Record<SectionName | "before" | "unknown", readonly Block[]>>;

function sectionsOf(text: string, report: Report): Sections {
  const sections: Record<keyof Sections, Block[]> = {
    before: [],
    schedule: [],
    "on wake": [],
    "routine tasks": [],
    "context reconstruction": [],
    unknown: [],
  };
  let section: keyof Sections = "before";
  for (const block of blocksOf(text, report)) {
    if (block.type === "heading") section = sectionOf(block, report);
    else sections[section].push(block);
  }
  return sections;
}

interface ReadSchedule {
  readonly definition: Pick<HeartbeatDefinition, "interval" | "cron" | "directives">;
  /** How many lines it has. */
  readonly count: number;
}

/** Reads the schedule: that of the frontmatter, the lines with an at sign before the first section, and the section. */
function scheduleOf({ before, schedule }: Sections, text: string, context: DirectiveContext): ReadSchedule {
  const { report } = context;
  const frontmatter = before.flatMap((block) =>
    block.type === "yaml" ? frontmatterLines(block.value, yamlStart(block, text), report) : [],
  );
  const [first, section] = [before, schedule].map((blocks) => timedLines(blocks, text));
  const early = (first?.lines ?? []).filter((line) => isSchedule(line, report));
  const lines = [...early, ...(section?.lines ?? [])];
  const times = [...frontmatter, ...lines];
  const found = [first, section].flatMap((part) => part?.directives ?? []);
  const written = [...found, ...lines.flatMap((line) => line.directives)];
  const directives = readDirectives(written, context);
  const cron = times.flatMap((line) => cronLine(line, report) ?? []);
  const interval = intervalOf(
    times.filter(({ text: line }) => cronOf(line) === undefined),
    report,
  );
  return {
    definition: defined({
      interval,
      cron: cron.length === 0 ? undefined : cron,
      directives: Object.keys(directives).length === 0 ? undefined : directives,
    }),
    count: times.length + written.length,
  };
}

/** The cron expression of a line; undefined if it is none, or is reported. */
function cronLine(line: Line, report: Report): string | undefined {
  const expression = cronOf(line.text);
  if (expression === undefined || !isNever(expression)) return expression;
  const hint = "correct the day or the month";
  const message = `the schedule ${quoted(line.text)} is never due: its days do not exist`;
  report({ rule: "heartbeat-schedule", offset: line.offset, message, hint });
  return undefined;
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
  if (/^@/.test(line.text) || cronOf(line.text) !== undefined) return true;
  const message = `unexpected text ${quoted(line.text)} before the first section, expected a heading such as \`## On Wake\``;
  report({
    rule: "heartbeat-section",
    offset: line.offset,
    message,
    hint: "move it below a heading: here it has no effect",
  });
  return false;
}

/** The items of a list, else the text of the block. */
function textsOf(block: Block, text: string): readonly string[] {
  const slice = (start: number, end: number): string => text.slice(start, end).replace(/\r\n?/g, "\n").trimEnd();
  switch (block.type) {
    case "html":
    case "yaml":
    case "thematicBreak":
    case "definition":
      return [];
    case "list":
      return block.children.map((item) => hangingText(item, slice)).filter((item) => item !== "");
    default:
      return [slice(startOf(block), endOf(block))];
  }
}

function intervalOf(lines: readonly Line[], report: Report): number | undefined {
  let interval: number | undefined;
  for (const line of lines) {
    const read = everyOf(line.text);
    if (read === undefined)
      reportSchedule(
        line,
        "an interval from 1s to 24d such as `@every: 15m`, or a cron line such as `0 9 * * 1-5`",
        report,
      );
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

function everyOf(text: string): number | undefined {
  const written = text.replaceAll("`", "").trim();
  return spokenInterval(/^(?:@?every\b\s*:?\s*)?(.+)$/i.exec(written)?.[1] ?? "");
}

function routineOf(line: TaskLine, context: DirectiveContext): readonly RoutineTask[] {
  const { source, report } = context;
  const read = parseRoutineLine(line.text);
  const directives = readDirectives(line.directives, context);
  if (read.type === "routine") {
    const { name, time } = read;
    const said = Object.keys(directives).length === 0 ? {} : { directives };
    return [{ name, time, ...said, position: source.pointAt(line.offset) }];
  }
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
