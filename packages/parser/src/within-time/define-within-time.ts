import type { AgentFile, AgentFiles, FileProblem } from "../agent-files.ts";
import type { CacheEntry } from "../definition-cache.ts";
import { paragraphsOf } from "../mdx/unparsed-blocks.ts";
import { SourceText } from "../source-text.ts";
import type { WorkerOutcome } from "./define-in-worker.ts";
import { type Excess, excessOf } from "./excess.ts";

export type { AgentFiles };

/** UTF-16 code units of a file that is parsed at once; with a larger one, signals and other sessions could have to wait. */
const mostAtOnce = 8_000;

/** A parsed directory, and whether it may be cached: not if a file took too long, which another time it might not. */
export interface DefinedWithinTime {
  readonly entry: CacheEntry;
  readonly mayCache: boolean;
}

/**
 * Parses all files of an agent directory, large ones in a worker. A file that nests or repeats beyond reason, or takes too long, is not
 * parsed and has an error that says where. Reads no disk; never rejects.
 */
export async function defineWithinTime(given: AgentFiles): Promise<DefinedWithinTime> {
  let files = inMarkdown(given, withoutExcess);
  for (let mayCache = true; ; mayCache = false) {
    const outcome = isSmall(files) ? undefined : await defineElsewhere(files);
    if (outcome === undefined || outcome.type === "failed") return { entry: await defineHere(files), mayCache };
    if (outcome.type === "defined") return { entry: outcome.entry, mayCache };
    files = withoutLate(files, outcome.file);
  }
}

async function defineHere(files: AgentFiles): Promise<CacheEntry> {
  const { defineAgent } = await import("../define-agent.ts");
  return defineAgent(files);
}

async function defineElsewhere(files: AgentFiles): Promise<WorkerOutcome> {
  const { defineInWorker } = await import("./define-in-worker.ts");
  return defineInWorker(files);
}

function isSmall({ agent, heartbeat, skills }: AgentFiles): boolean {
  return [agent, heartbeat, ...skills].every(
    (file) => file?.text === undefined || file.isRefused === true || file.text.length <= mostAtOnce,
  );
}

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

function withoutLate(files: AgentFiles, path: string): AgentFiles {
  const change = (file: AgentFile): AgentFile => (file.path === path ? late(file) : file);
  return { ...inMarkdown(files, change), skills: files.skills.map(change) };
}

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
