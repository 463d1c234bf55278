import { secondsText } from "@mdx-ai/base";
import { type BuiltinToolContext, errorResult, type ToolResult, textResult } from "@mdx-ai/loop";
import type { BackgroundCommands, BackgroundOutput, StartedCommand } from "./background-commands.ts";
import type { ListedTool } from "./listed-tool.ts";

interface BackgroundOptions {
  readonly background: BackgroundCommands;
}

const MAX_SECONDS = 600;

const id = { type: "string", description: "The id that bash returned" };
const ID_ALIASES: readonly string[] = ["bash_id", "shell_id", "task_id", "job_id", "job"];

/** The builtin tool `bash_output`. */
export const bashOutputTool = ({ background }: BackgroundOptions): ListedTool => ({
  name: "bash_output",
  // It may run again after a crash: then the command has ended.
  readOnly: true,
  listing: { group: "coding", companionOf: "bash", counterparts: ["bashoutput", "taskoutput"] },
  label: { kind: "command", verb: "output" },
  description: "Return what a background command wrote since the last call, and whether it still runs.",
  parameters: {
    type: "object",
    properties: {
      id,
      wait: {
        type: "number",
        minimum: 0,
        maximum: MAX_SECONDS,
        description: `Seconds to wait for its end, at most ${MAX_SECONDS}; default 0`,
      },
    },
    required: ["id"],
  },
  aliases: ["BashOutput", "TaskOutput", "read_output", "get_output"],
  parameterHabits: {
    names: { id: ID_ALIASES, wait: ["timeout", "wait_seconds", "seconds"] },
    ignored: { filter: [""], block: "any" },
  },
  seconds: ["wait"],
  example: { id: "1a2b3c4d", wait: 10 },
  execute: async (args, { sessionId, signal }) => {
    const name = String(args["id"]);
    const seconds = typeof args["wait"] === "number" ? args["wait"] : 0;
    if (seconds > 0) {
      await background.ended(sessionId, name, AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]));
    }
    const output = await background.take(sessionId, name);
    return output === undefined ? unknownCommand(background, sessionId, name) : outputResult(output);
  },
});

/** The builtin tool `bash_stop`. */
export const bashStopTool = ({ background }: BackgroundOptions): ListedTool => ({
  name: "bash_stop",
  readOnly: true,
  listing: { group: "coding", companionOf: "bash", counterparts: ["killshell", "killbash", "taskstop"] },
  label: { kind: "command", verb: "stop" },
  description: "End a background command and all that it started. Returns the rest of its output.",
  parameters: { type: "object", properties: { id }, required: ["id"] },
  aliases: ["KillShell", "KillBash", "TaskStop", "kill_process"],
  parameterHabits: { names: { id: ID_ALIASES } },
  example: { id: "1a2b3c4d" },
  execute: async (args, { sessionId }) => {
    const name = String(args["id"]);
    const wasRunning = background.list(sessionId).some((one) => one.id === name && one.isRunning);
    await background.stop(sessionId, name);
    const output = await background.take(sessionId, name);
    if (output === undefined) return unknownCommand(background, sessionId, name);
    return wasRunning ? withNotices(output, ["[stopped]"]) : outputResult(output);
  },
});

/** Starts a command for `bash`, with the grants that the user gave for it before. Rejects as `BackgroundCommands.start` does. */
export async function startInBackground(
  background: BackgroundCommands,
  command: StartedCommand,
  { sessionId, grants }: BuiltinToolContext,
): Promise<ToolResult> {
  const granted = (grants?.known(command.command) ?? []).map(({ access }) => access);
  const name = await background.start(sessionId, command, granted);
  const { seconds } = command;
  const limit = seconds === undefined ? "" : `, at most ${secondsText(seconds)}`;
  const text = `[runs in the background as ${name} until the session is closed${limit}; bash_output returns its output, bash_stop ends it]`;
  return { ...textResult(text), details: { background: name } };
}

function outputResult(output: BackgroundOutput): ToolResult {
  const { end } = output;
  if (end === undefined) return withNotices(output, ["[still running]"]);
  const ending = end.problem === undefined ? "[ended with exit code 0]" : `[ended: ${end.problem}]`;
  return withNotices(output, [ending, end.note]);
}

function withNotices({ text, dropped }: BackgroundOutput, notices: readonly string[]): ToolResult {
  const missing = dropped === 0 ? "" : `[${dropped} characters dropped]`;
  const parts = [missing, text.replace(/\n$/, ""), ...notices];
  return textResult(parts.filter((part) => part !== "").join("\n"));
}

/** Nothing of a background command survives its process. */
function unknownCommand(background: BackgroundCommands, session: string, name: string): ToolResult {
  const known = background.list(session).map((one) => one.id);
  const others = known.length === 0 ? "no command runs in the background" : `known are ${known.join(", ")}`;
  return errorResult(
    `${JSON.stringify(name)} is no background command of this process: ${others}. One of an earlier process ended with the process.`,
  );
}
