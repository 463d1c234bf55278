import { isAbsolute, relative, resolve } from "node:path";
import { type ImportNote, importAgent, makeDirectory, type SourceFormat } from "@mdx-ai/directory/importing";
import { plainLine } from "@mdx-ai/directory/text";
import { directoryWord, runWord } from "../arguments/directory-word.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { IGNORED } from "./template.ts";

/**
 * `mdx-ai init DIR --from PATH`: converts another program's agent into a new directory and reports what became of each part. The directory
 * is not trusted, because its code comes from elsewhere.
 */
export async function initFrom(path: string, from: string, context: CommandContext): Promise<number> {
  const agent = importAgent(resolve(context.currentDirectory, from));
  const made = await makeDirectory(path, agent, [{ path: ".gitignore", text: IGNORED }]);
  const shown = (file: string): string => shownFrom(context.currentDirectory, file);
  context.stdout.write(
    [
      `Made ${shown(path)} from ${shown(agent.source)}, ${FORMATS[agent.format]}.\n`,
      notesText("Translated:", ofKind(made.notes, "translated"), shown),
      notesText("Left out:", ofKind(made.notes, "left out"), shown),
      nextSteps(shown(path), made.agents),
    ]
      .filter((text) => text !== "")
      .join("\n"),
  );
  return EXIT_CODE.done;
}

const FORMATS: Readonly<Record<SourceFormat, string>> = {
  "claude-agent": "a subagent file of Claude Code",
  "claude-folder": "a folder of Claude Code",
  "opencode-agent": "an agent file of opencode",
  "opencode-folder": "a folder of opencode",
  "agents-folder": "a folder of agents and skills",
  markdown: "a prompt in Markdown",
};

/** Relative to the current folder if inside it. */
function shownFrom(folder: string, path: string): string {
  const inside = relative(folder, path);
  return plainLine(inside === "" ? "." : inside.startsWith("..") || isAbsolute(inside) ? path : inside);
}

const ofKind = (notes: readonly ImportNote[], kind: ImportNote["kind"]): readonly ImportNote[] =>
  notes.filter((note) => note.kind === kind);

function notesText(title: string, notes: readonly ImportNote[], shown: (file: string) => string): string {
  if (notes.length === 0) return "";
  const lines = notes.map(
    ({ file, line, text }) => `  ${shown(file)}${line === undefined ? "" : `:${line}`}  ${plainLine(text)}\n`,
  );
  return `${title}\n${lines.join("")}`;
}

function nextSteps(path: string, agents: readonly string[]): string {
  const runs = [path, ...agents.map((agent) => `${path}/${agent}`)].map((agent) => `mdx-ai ${runWord(agent)}`);
  const lines = [`mdx-ai check ${directoryWord(path)}`, `mdx-ai trust ${directoryWord(path)}`, ...runs];
  return `Look at it, trust it, and run it:\n\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
