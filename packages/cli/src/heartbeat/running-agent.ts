import {
  type OpenDirectory,
  openRun,
  prepareRun,
  type RunOptions,
  readTrusted,
  unattendedReload,
} from "@mdx-ai/directory";
import { plainLine, plainText } from "@mdx-ai/directory/text";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import type { CloseOptions } from "@mdx-ai/runtime";
import { heartbeatTasks, nextTimes } from "@mdx-ai/runtime/heartbeat";
import { serverListeners, trustOptions } from "../asking/command-questions.ts";
import type { CommandContext } from "../command-context.ts";

/** An agent that `mdx-ai run` keeps open. */
export interface RunningAgent {
  readonly open: OpenDirectory;
  /** Loads changed files. Never rejects. */
  reload(): Promise<void>;
  close(how: CloseOptions): Promise<void>;
}

/** Opens an agent whose heartbeat wakes it. Its answers and what happens to it are lines on standard output. Rejects as `openRun` does. */
export async function openRunning(
  options: RunOptions,
  context: CommandContext,
  signal: AbortSignal,
): Promise<RunningAgent> {
  const directory = await readTrusted(options, trustOptions(context, signal));
  const { name } = directory.definition.identity;
  const say = (text: string): void => context.stdout.write(logLine(name, context.keys.text(text)));
  const run = await prepareRun(options, directory, context);
  const open = await openRun(run, {
    ...{ frontEnd: context, signal, wakes: true },
    onWarning: say,
    onBackgroundEvent: (event) => sayEvent(event, options.directory, say),
    onReload: unattendedReload({ ...options, say, afterTrust: ", then SIGHUP" }),
    ...serverListeners({ context, say, canAsk: false }),
  });
  if (open.agent.model.notice !== undefined) say(open.agent.model.notice);
  say(nextText(directory.definition, Date.now()));
  return {
    open,
    reload: () => open.agent.refresh(),
    close: async (how) => {
      await open.close(how);
      say("stopped");
    },
  };
}

function nextText({ heartbeat: definition, settings }: OpenDirectory["directory"]["definition"], now: number): string {
  const tasks = heartbeatTasks({ definition, settings });
  const nexts = tasks.flatMap((task) => nextTimes(task, now, 1).map((next) => ({ task, next })));
  const first = nexts.toSorted((one, other) => one.next - other.next)[0];
  if (first === undefined) return "running; nothing wakes it: heartbeat.md has no time that comes";
  return `running; next: ${first.task.name} at ${new Date(first.next).toISOString()}`;
}

function sayEvent(event: AgentEvent, directory: string, say: (text: string) => void): void {
  if (event.type === "question_asked")
    say(`question ${event.question.id} waits for an answer: mdx-ai answer ${directory}`);
  if (event.type === "agent_end")
    say(event.outcome === "done" ? answerText(event.messages) : `ended: ${event.outcome}`);
}

/** A line with the time; further lines are indented. */
function logLine(name: string, text: string): string {
  const [first = "", ...rest] = plainText(text).trimEnd().split("\n");
  const head = `${new Date().toISOString()} ${plainLine(name)}: ${first}`;
  return `${[head, ...rest.map((line) => `  ${line}`)].join("\n")}\n`;
}
