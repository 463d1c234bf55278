import type { JsonObject } from "@mdx-ai/base";
import {
  type BuiltinToolContext,
  OUTPUT_LIMIT,
  type ParameterHabits,
  type SandboxGrant,
  type ToolResult,
  textResult,
} from "@mdx-ai/loop";
import { DEFAULT_SECONDS } from "@mdx-ai/sandbox";
import type { BackgroundCommands } from "./background-commands.ts";
import type { GrantedEnd } from "./granted-shell.ts";
import type { ListedTool } from "./listed-tool.ts";
import type { ShellOptions } from "./shell-run.ts";
import type { UserEditor } from "./user-editor.ts";

const MAX_SECONDS = 3_600;

/** The names of this tool in other programs. */
export const SHELL_ALIASES: readonly string[] = [
  ...["bash", "sh", "shell", "terminal", "exec", "exec_command", "run_command", "execute_command", "run_bash"],
  ...[
    "execute_bash",
    "run_shell_command",
    "run_terminal_cmd",
    "run_terminal_command",
    "run_in_terminal",
    "local_shell",
  ],
];

/** Other names of the timeout in seconds. */
export const SECONDS_ALIASES: readonly string[] = [
  "timeout",
  "timeout_s",
  "timeout_sec",
  "timeout_secs",
  "timeout_seconds",
];

/** Parameters of other shell tools that explain a command. */
const EXPLAINING: NonNullable<ParameterHabits["ignored"]> = {
  description: "any",
  explanation: "any",
  justification: "any",
};

/** Other names of the parameter that lets a command outlive its call. */
const BACKGROUND_ALIASES: readonly string[] = ["run_in_background", "is_background"];

/** Parameters of other shell tools that explain a command or have no effect here. */
export const IGNORED: NonNullable<ParameterHabits["ignored"]> = {
  ...EXPLAINING,
  ...Object.fromEntries(BACKGROUND_ALIASES.map((name) => [name, [false]])),
};

const BACKGROUND =
  " With `background` it returns an id at once, and the command runs until the session is closed: for servers and watchers. What it leaves running otherwise ends with it.";

export interface BashOptions extends ShellOptions {
  /** The seconds after which a command is killed by default. Default: 30. */
  readonly seconds?: number | undefined;
  /** Where commands run that outlive their call; no command may if absent. */
  readonly background?: BackgroundCommands | undefined;
  /** Where other commands run: in a terminal of the user's editor, outside of any sandbox, if it runs commands. */
  readonly editor?: UserEditor | undefined;
}

/** The builtin tool `bash`. */
export function bashTool({
  background,
  seconds: limit = DEFAULT_SECONDS.shell,
  editor,
  ...options
}: BashOptions): ListedTool {
  return {
    name: "bash",
    effects: "runs",
    listing: { group: "coding", isBasic: true, counterparts: ["bash"] },
    label: { kind: "command", verb: "$" },
    description: `Run a shell command in the working directory and return its output. It has no input, and is killed after ${limit} seconds if \`timeout\` does not say otherwise.${background === undefined ? "" : BACKGROUND}`,
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", description: "The command" },
        timeout: {
          type: "number",
          exclusiveMinimum: 0,
          maximum: MAX_SECONDS,
          description: `Seconds until it is killed, at most ${MAX_SECONDS}; default ${limit}`,
        },
        ...(background !== undefined && {
          background: { type: "boolean", description: "Whether it runs in the background; default false" },
        }),
      },
      required: ["command"],
    },
    aliases: SHELL_ALIASES,
    parameterHabits: {
      names: {
        command: ["cmd", "script", "bash_command", "shell_command"],
        timeout: SECONDS_ALIASES,
        ...(background !== undefined && { background: BACKGROUND_ALIASES }),
      },
      ignored: background === undefined ? IGNORED : EXPLAINING,
      commandLines: ["command"],
    },
    seconds: ["timeout"],
    example: { command: "ls -la", timeout: 60 },
    access: async (args) => ({ kind: "command", command: String(args["command"]) }),
    execute: async (args, context: BuiltinToolContext) => {
      const seconds = typeof args["timeout"] === "number" ? args["timeout"] : undefined;
      const shellCommand = { ...options, command: String(args["command"]), cwd: context.cwd };
      if (background !== undefined && args["background"] === true) {
        const { startInBackground } = await import("./background-tools.ts");
        return startInBackground(background, { ...shellCommand, seconds }, context);
      }
      if (editor?.runCommand !== undefined) {
        const { runInEditor } = await import("./editor-shell.ts");
        return runInEditor(editor.runCommand, { ...shellCommand, seconds: seconds ?? limit }, context);
      }
      const { runGranted } = await import("./granted-shell.ts");
      const end = await runGranted({ ...shellCommand, seconds: seconds ?? limit }, context);
      const apart = background?.apart(context.sessionId, end.network) ?? [];
      return shellResult(apart.length === 0 || !isUnconnected(end) ? end : withNote(end, apartNote(apart)));
    },
  };
}

/** Whether a command failed because nothing listened at a port. */
const isUnconnected = ({ output, problem }: GrantedEnd): boolean =>
  problem !== undefined &&
  /refused|ECONNREFUSED|(could not|couldn't|failed to|unable to) connect/i.test(output.text(OUTPUT_LIMIT));

const apartNote = (ids: readonly string[]): string =>
  `[sandbox: this command has another network than background commands that started before the sandbox changed (${ids.join(", ")}), and does not reach their ports: stop and start them again]`;

const withNote = (end: GrantedEnd, note: string): GrantedEnd => ({
  ...end,
  note: [end.note, note].filter((line) => line !== "").join("\n"),
});

/** The result of a command: its output, and notices about how it ended. */
export function shellResult({ output, shell, problem, timedOut, note, refused, grants }: GrantedEnd): ToolResult {
  const { exitCode, signalCode } = shell;
  const said = [problem, refused].map((text) => (text === undefined ? "" : `[${text}]`));
  const notices = [said[0], note, said[1]].filter((notice) => notice !== "").join("\n");
  // The model receives all notices: the output is shortened to make room.
  const limit = OUTPUT_LIMIT - (notices === "" ? 0 : notices.length + 1);
  const { bytes, characters } = output;
  const text = output.text(limit);
  const noticed = notices === "" || text === "" ? text || notices : `${text.replace(/\n$/, "")}\n${notices}`;
  return {
    ...textResult(noticed || "[no output]"),
    ...(problem !== undefined && { isError: true }),
    details: {
      ...{ exitCode, signal: signalCode, timedOut, bytes, truncated: characters > limit },
      ...(grants.length > 0 && { granted: grants.map(detailsOf) }),
    },
  };
}

const detailsOf = ({ access, lasts }: SandboxGrant): JsonObject => ({ ...access, lasts });
