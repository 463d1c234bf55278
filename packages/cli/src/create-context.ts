import type { Notice, SettingsProblem } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import { toolHostCommand } from "@mdx-ai/runtime/program";
import type { CommandContext, ProgramContext } from "./command-context.ts";
import { type DiagnosticsView, showDiagnostics } from "./output/diagnostics-text.ts";

/** The context of a command. */
export function createContext(
  program: ProgramContext,
  options: Pick<CommandContext, "user" | "skillFolders"> = {},
): CommandContext {
  const { stdout, stderr, keys, interruption, environment } = program;
  const context: CommandContext = {
    ...{ stdout, stderr, keys, interruption, environment },
    get currentDirectory() {
      return program.currentDirectory;
    },
    ...options,
    toolHostCommand: toolHostCommand(),
    ownsConsole: true,
    onNotice: (notice) => stderr.write(noticeText(notice, { surroundings: context, output: stderr })),
    onSecrets: (secrets) => keys.learn(secrets),
    whileReading: (read) => interruption.unheard(read),
  };
  return context;
}

/** A notice as whole lines for standard error. */
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
