import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "@mdx-ai/base";
import type { Notice, SettingsProblem } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import type { ParsedArguments } from "./arguments/command-spec.ts";
import { existingPath } from "./arguments/option-values.ts";
import type { CommandContext, ProgramContext } from "./command-context.ts";
import { UsageError } from "./failures/program-error.ts";
import { type DiagnosticsView, showDiagnostics } from "./output/diagnostics-text.ts";
import { createPaint, isTerminal } from "./output/output.ts";

/**
 * Creates a command's context and applies the options that all commands share: `--user`, `--skills-dir` and `--env-file`. Rejects with
 * `UsageError`.
 */
export async function createContext(program: ProgramContext, args?: ParsedArguments): Promise<CommandContext> {
  const { stdout, stderr, keys, interruption, lostErrors, environment } = program;
  if (args !== undefined) loadEnvFile(args, program);
  const context: CommandContext = {
    ...{ stdout, stderr, keys, interruption, lostErrors, environment },
    currentDirectory: "",
    get paint() {
      return createPaint(stdout, environment);
    },
    ...(args !== undefined && (await userOptions(args, program))),
    canAsk: isTerminal(0) && stderr.isTerminal,
    toolHostCommand: toolHostCommand(),
    ownsConsole: true,
    openSelfEditor: async (options) => (await import("@mdx-ai/directory/self-edit")).selfEditor(options),
    onNotice: (notice) => stderr.write(noticeText(notice, { frontEnd: context, output: stderr })),
    redactor: keys,
    onSecrets: (secrets) => keys.learn(secrets),
    whileReading: interruption.unheard,
    watchErrors: lostErrors.watch,
  };
  // Copied without being read, which throws in a removed folder.
  const directory = Object.getOwnPropertyDescriptor(program, "currentDirectory");
  return Object.defineProperty(context, "currentDirectory", directory ?? {});
}

/** Adds the variables of `--env-file` to the environment of this run. Variables that are already set win. */
function loadEnvFile({ values }: ParsedArguments, program: ProgramContext): void {
  const file = values.get("env-file");
  if (file === undefined) return;
  // Loaded on demand, since few runs need it.
  const { parseEnv } = process.getBuiltinModule("node:util");
  const variables = parseEnv(readEnvFile(resolve(program.currentDirectory, file)));
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
  program.keys.learn();
}

function readEnvFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--env-file cannot be read: ${errorMessage(error)}`);
  }
}

async function userOptions(
  { values, lists }: ParsedArguments,
  place: ProgramContext,
): Promise<Pick<CommandContext, "user" | "skillFolders">> {
  const user = values.get("user");
  const folders = lists.get("skills-dir")?.map((folder) => existingPath(folder, SKILLS_DIR, place));
  if (user !== undefined) await checkUser(user);
  return { ...(user !== undefined && { user }), ...(folders !== undefined && { skillFolders: folders }) };
}

const SKILLS_DIR = { name: "skills-dir", kind: "folder" } as const;

/** Each user has a folder, so user names follow the rules of session ids. */
async function checkUser(user: string): Promise<void> {
  const { idRefusal } = await import("@mdx-ai/sessions");
  const reason = idRefusal(user);
  if (reason === undefined) return;
  const name = JSON.stringify(user.slice(0, 40));
  throw new UsageError(`bad user ${name}: ${reason}; use letters, digits, ".", "_" and "-", such as --user alice`);
}

/** Formats a notice as whole lines for standard error. */
function noticeText(notice: Notice, view: DiagnosticsView): string {
  switch (notice.type) {
    case "note":
      return `mdx-ai: ${plainLine(notice.text)}\n`;
    case "warning":
      return `mdx-ai: warning: ${plainLine(notice.text)}\n`;
    case "trust_changed":
      return notice.changes.map((change) => `  ${change}\n`).join("");
    case "diagnostics_found":
      return showDiagnostics(notice.directory, view);
    case "settings_problem":
      return problemText(notice.path, notice.problem);
  }
}

function problemText(path: string, { line, column, severity, message, hint }: SettingsProblem): string {
  const below = hint === undefined ? "" : `\n  ${plainLine(hint)}`;
  return `${plainLine(`${path}:${line}:${column}`)} ${severity} ${plainLine(message)}${below}\n`;
}
