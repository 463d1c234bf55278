import type { AgentFile, AgentFiles, FileProblem, SkillFiles } from "../agent-files.ts";
import type { CacheEntry } from "../definition-cache.ts";
import { paragraphsOf } from "../mdx/unparsed-blocks.ts";
import type { ParsedSkills } from "../skills/parse-skills.ts";
import { SourceText } from "../source-text.ts";
import type { WorkerOutcome, WorkerTask } from "./define-in-worker.ts";
import { type Excess, excessOf } from "./excess.ts";

export type { AgentFiles };

/** UTF-16 code units of a file that is parsed at once; with a larger one, signals and other sessions could have to wait. */
const mostAtOnce = 8_000;

/** What was parsed, and whether it may be cached: not if a file took too long, which another time it might not. */
export interface ParsedWithinTime<Entry> {
  readonly entry: Entry;
  readonly mayCache: boolean;
}

/** Files that are parsed together. */
interface Unit<Entry> {
  readonly task: WorkerTask;
  /** Parses them in this thread. */
  readonly here: () => Promise<Entry>;
  readonly without: (late: string) => Unit<Entry>;
}

/**
 * Parses all files of an agent directory, large ones in a worker. A file that nests or repeats beyond reason, or takes too long, is not
 * parsed and has an error that says where. Reads no disk; never rejects.
 */
export const defineWithinTime = (files: AgentFiles): Promise<ParsedWithinTime<CacheEntry>> =>
  withinTime(agentUnit(inMarkdown(files, withoutExcess)));

/** The same for the files of skills. */
export const parseSkillsWithinTime = (files: SkillFiles): Promise<ParsedWithinTime<ParsedSkills>> =>
  withinTime(skillsUnit(files));

const agentUnit = (files: AgentFiles): Unit<CacheEntry> => ({
  task: { unit: "agent", files },
  here: async () => (await import("../define-agent.ts")).defineAgent(files),
  without: (path) => agentUnit({ ...inMarkdown(files, lateAt(path)), skills: files.skills.map(lateAt(path)) }),
});

const skillsUnit = (files: SkillFiles): Unit<ParsedSkills> => ({
  task: { unit: "skills", files },
  here: async () => (await import("../skills/parse-skills.ts")).parseSkills(files),
  without: (path) => skillsUnit({ ...files, skills: files.skills.map(lateAt(path)) }),
});

async function withinTime<Entry>(given: Unit<Entry>): Promise<ParsedWithinTime<Entry>> {
  let unit = given;
  for (let mayCache = true; ; mayCache = false) {
    const outcome = filesOf(unit.task).every(isSmall) ? undefined : await elsewhere(unit);
    if (outcome === undefined || outcome.type === "failed") return { entry: await unit.here(), mayCache };
    if (outcome.type === "parsed") return { entry: outcome.entry, mayCache };
    unit = unit.without(outcome.file);
  }
}

async function elsewhere<Entry>({ task }: Unit<Entry>): Promise<WorkerOutcome<Entry>> {
  const { parseInWorker } = await import("./define-in-worker.ts");
  return parseInWorker<Entry>(task, filesOf(task));
}

const filesOf = (task: WorkerTask): readonly AgentFile[] =>
  task.unit === "skills"
    ? task.files.skills
    : [task.files.agent, ...(task.files.heartbeat === undefined ? [] : [task.files.heartbeat]), ...task.files.skills];

const isSmall = ({ text, isRefused }: AgentFile): boolean =>
  text === undefined || isRefused === true || text.length <= mostAtOnce;

/** Skills are not parsed as Markdown. */
function inMarkdown(files: AgentFiles, change: (file: AgentFile) => AgentFile): AgentFiles {
  const { agent, heartbeat } = files;
  return { ...files, agent: change(agent), ...(heartbeat === undefined ? {} : { heartbeat: change(heartbeat) }) };
}

function withoutExcess(file: AgentFile): AgentFile {
  const excess = file.text === undefined ? undefined : excessOf(new SourceText(file.text).text);
  return excess === undefined ? file : { ...file, problem: excessProblem(excess), isRefused: true };
}

function excessProblem({ offset, what }: Excess): FileProblem {
  const hint = "simplify the text here, or put it into a code block";
  return { rule: "text-too-complex", offset, message: `cannot read the file (${what})`, hint };
}

const lateAt =
  (path: string) =>
  (file: AgentFile): AgentFile =>
    file.path === path ? late(file) : file;

function late(file: AgentFile): AgentFile {
  const problem: FileProblem = {
    rule: "text-too-complex",
    offset: heaviestParagraph(new SourceText(file.text ?? "").text),
    message: "reading the file takes too long, most likely because of the text here",
    hint: "simplify it, or put it into a code block or a file of its own",
  };
  return { ...file, problem, isRefused: true };
}

/** The offset of the paragraph with the most punctuation: what takes a parser long is usually there. */
function heaviestParagraph(text: string): number {
  let heaviest = { offset: 0, weight: 0 };
  for (const { paragraph, offset } of paragraphsOf(text)) {
    const weight = paragraph.replace(/[\w\s]+/g, "").length;
    if (weight > heaviest.weight) heaviest = { offset, weight };
  }
  return heaviest.offset;
}
