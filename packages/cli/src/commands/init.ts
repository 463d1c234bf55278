import { realpathSync, statSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { shellWord } from "@mdx-ai/base";
import { canBeTrusted, trustDirectory } from "@mdx-ai/directory";
import { capitalized, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { directoryWord, runWord } from "../arguments/directory-word.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, interrupted, UsageError } from "../failures/program-error.ts";
import {
  isTemplateName,
  type Precursor,
  precursor,
  TEMPLATES,
  type TemplateName,
  templateFiles,
  writeTemplate,
} from "../init/template.ts";
import { isTerminal } from "../output/output.ts";

/** `mdx-ai init`: creates a working agent directory and trusts it. If all of it belongs to the user, later edits are trusted too. */
export async function runInit(args: ParsedArguments, context: CommandContext): Promise<number> {
  const path = resolve(context.currentDirectory, args.positionals[0] ?? (await askDirectory()));
  const from = args.values.get("from");
  if (from !== undefined) {
    if (args.values.has("template")) throw new UsageError("--from and --template exclude each other; leave one out");
    const { initFrom } = await import("../init/init-from.ts");
    return initFrom(path, from, context);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UsageError(`${path} is a file; choose a new folder, or one without an agent`);
  }
  const template = readTemplate(args);
  const before = precursor(path);
  writeTemplate(path, templateFiles(template, agentName(path)));
  await trust(realpathSync.native(path), before, context);
  context.stdout.write(nextSteps(template, path, context.currentDirectory));
  if (before === "parts of an agent") {
    context.stderr.write(
      "The folder already contained parts of an agent; review them, then trust it with mdx-ai trust.\n",
    );
  }
  return EXIT_CODE.done;
}

async function askDirectory(): Promise<string> {
  if (!isTerminal(0) || !isTerminal(1)) throw new UsageError("the directory is missing; write: mdx-ai init DIR");
  const { isCancel, text } = await import("@clack/prompts");
  const answer = await text({ message: "Where should the new agent be?", initialValue: "my-agent" });
  if (isCancel(answer)) throw interrupted();
  return answer;
}

/** A title from the folder's name: "my-agent" becomes "My Agent". */
function agentName(path: string): string {
  const words = basename(path)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.map(capitalized).join(" ") || "Assistant";
}

/** If the folder contained other files, or others can write to it, only its current content is trusted. */
async function trust(path: string, before: Precursor, context: CommandContext): Promise<void> {
  if (before === "parts of an agent" || !canBeTrusted(path, context)) return;
  await trustDirectory(path, { edits: before === "nothing" ? "if_own" : "no" }, context);
}

function readTemplate({ values }: ParsedArguments): TemplateName {
  const given = values.get("template") ?? "tools";
  if (isTemplateName(given)) return given;
  throw new UsageError(`--template needs ${Object.keys(TEMPLATES).join(", ")}, but got ${JSON.stringify(given)}`);
}

function nextSteps(template: TemplateName, directory: string, currentDirectory: string): string {
  const { summary, prompt, isForProjects } = TEMPLATES[template];
  const path = plainLine(relative(currentDirectory, directory) || ".");
  const word = directoryWord(path);
  const question = prompt === undefined ? [] : [`mdx-ai ${runWord(path)} -p ${shellWord(prompt)}`];
  const check = [`mdx-ai check ${word}`, ...(template === "tools" ? [`mdx-ai test ${word}`] : []), ...question];
  const start = `Made ${path}: ${summary}. Try it:\n\n`;
  // Such an agent is usually started elsewhere than in the folder around it, so show its absolute path.
  return isForProjects && path !== "."
    ? `${start}${shown(check)}\nThen, in your project:\n\n${shown([`mdx-ai ${directoryWord(directory)}`])}`
    : `${start}${shown([...check, `mdx-ai ${runWord(path)}`])}\n${DEFAULT_AGENT}`;
}

/** The agent that needs no directory. */
const DEFAULT_AGENT = "In a project, mdx-ai without a directory starts a coding agent.\n";

const shown = (lines: readonly string[]): string => lines.map((line) => `  ${line}\n`).join("");
