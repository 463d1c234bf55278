import { attempt } from "@mdx-ai/base";
import { mapOf, positive, type Schema, textOf, wordOf } from "@mdx-ai/base/schema";
import { HOOK_EVENTS, type HookEventName } from "../types/agent-settings.ts";

const hook: Schema = {
  ...mapOf("a map of `type`, `command` and `timeout`", "A command that runs at the event.", {
    type: wordOf("`command` is the only kind of hook.", ["command"]),
    command: textOf("a shell command", "The command; it gets the event as JSON on standard input."),
    timeout: positive(
      "a number of seconds above 0, up to 3600",
      "Seconds that the command may take; default 60.",
      3_600,
    ),
  }),
  required: ["type", "command"],
};

const group: Schema = {
  ...mapOf("a map of `matcher` and `hooks`", "Hooks for the events that match.", {
    matcher: {
      title: "names such as `Bash` or `Edit|Write`, or a regular expression",
      description: "The tools, or what the event says instead; default all, or `*`.",
      type: "string",
      accepts: (value) => value === "*" || attempt(() => new RegExp(String(value))) !== undefined,
    },
    hooks: { title: "a list of at least one command", type: "array", items: hook, minItems: 1 },
  }),
  required: ["hooks"],
};

const DESCRIPTIONS: Readonly<Record<HookEventName, string>> = {
  SessionStart: "A session begins or continues; its `source` is `startup` or `resume`. Output is added for the model.",
  UserPromptSubmit: "Before a prompt. Output is added for the model; exit code 2 denies the prompt.",
  PreToolUse: "Before a call; matches the tool. Exit code 2 denies the call.",
  PostToolUse: "After a call; matches the tool. Exit code 2 shows the model what is on standard error.",
  PostToolUseFailure: "After a call that failed; matches the tool.",
  PermissionRequest: "When a question about a call opens; matches the tool. Exit code 2 answers it with no.",
  Notification: "When a question opens; matches its kind.",
  Stop: "Before the end of a prompt. Exit code 2 lets the model continue with what is on standard error.",
  SubagentStop: "The same for an agent that works for this one; matches its name.",
  SessionEnd: "A session is closed.",
};

/** Commands at events, in the form of Claude Code. */
export const hooksSchema: Schema = mapOf(
  "a map of events such as `PreToolUse`",
  "Commands that run at events of prompts and calls, as in Claude Code.",
  Object.fromEntries(
    HOOK_EVENTS.map((event) => [
      event,
      {
        title: "a list of maps of `matcher` and `hooks`",
        description: DESCRIPTIONS[event],
        type: "array",
        items: group,
      },
    ]),
  ),
);
