import { attempt, isRecord } from "@mdx-ai/base";
import type { Finding, Schema } from "@mdx-ai/base/schema";
import { ANY, misspeltKeys, text, truth } from "./lint-json.ts";
import { meantWord } from "./spelling.ts";

/** The documented events of hooks of Claude Code. */
const EVENTS: readonly string[] = [
  ...["SessionStart", "SessionEnd", "Setup", "InstructionsLoaded", "UserPromptSubmit", "UserPromptExpansion"],
  ...["PreToolUse", "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure", "PostToolBatch"],
  ...["Notification", "SubagentStart", "SubagentStop", "TaskCreated", "TaskCompleted", "Stop", "StopFailure"],
  ...["TeammateIdle", "ConfigChange", "CwdChanged", "FileChanged", "WorktreeCreate", "WorktreeRemove"],
  ...["PreCompact", "PostCompact", "Elicitation", "ElicitationResult"],
];

/** The kinds of hooks, each with the keys of which it needs one. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  command: ["command"],
  prompt: ["prompt"],
  agent: ["prompt"],
  http: ["url"],
  mcp_tool: ["tool"],
};

/** Seconds above which a time limit was most likely meant as milliseconds. */
const LONGEST = 10_000;

const SHAPE = '`{"hooks": [{"type": "command", "command": "…"}]}`';

const hook: Schema = {
  title: 'a hook such as `{"type": "command", "command": "…"}`',
  type: "object",
  required: ["type"],
  properties: {
    type: { title: "`command`, `prompt`, `agent`, `http` or `mcp_tool`", type: "string", enum: Object.keys(KINDS) },
    command: text("a command"),
    prompt: text(),
    url: text("an address"),
    timeout: {
      title: "a number of seconds above 0",
      type: "number",
      exclusiveMinimum: 0,
      check: (value) => (Number(value) < LONGEST ? [] : [tooLong(Number(value))]),
    },
    async: truth,
    statusMessage: text(),
  },
  additionalProperties: ANY,
  checkKey: misspeltKeys(["type", "command", "prompt", "timeout", "async"]),
  check: (value) => (isRecord(value) ? missingOf(value) : []),
};

const tooLong = (seconds: number): Finding => ({
  rule: "hook-timeout",
  message: `a time limit of ${seconds} seconds is ${Math.round(seconds / 360) / 10} hours`,
  hint: `write seconds${seconds % 1_000 === 0 ? `: \`${seconds / 1_000}\`` : ", not milliseconds"}`,
});

function missingOf(value: Readonly<Record<string, unknown>>): readonly Finding[] {
  const needed = KINDS[String(value["type"])] ?? [];
  if (needed.length === 0 || needed.some((key) => key in value)) return [];
  return [
    { message: `a hook of type \`${String(value["type"])}\` has no \`${needed[0]}\``, hint: `add \`${needed[0]}\`` },
  ];
}

const group: Schema = {
  title: `a group of hooks such as ${SHAPE}`,
  type: "object",
  required: ["hooks"],
  hintFor: () => `write ${SHAPE}`,
  properties: {
    matcher: { title: "a pattern such as `Bash|Edit`", type: "string", check: (value) => unreadable(String(value)) },
    hooks: { title: `a list of hooks such as \`[{"type": "command", "command": "…"}]\``, type: "array", items: hook },
  },
  additionalProperties: ANY,
  checkKey: misspeltKeys(["matcher", "hooks"]),
};

function unreadable(pattern: string): readonly Finding[] {
  if (pattern === "" || pattern === "*" || attempt(() => new RegExp(pattern)) !== undefined) return [];
  return [
    {
      message: `the pattern \`${pattern}\` is no regular expression`,
      hint: "write names separated by `|`, such as `Edit|Write`",
    },
  ];
}

/** The hooks of settings, or of a plugin. */
export const hooksSchema: Schema = {
  title: "a map of events such as `PreToolUse`",
  type: "object",
  additionalProperties: {
    title: `a list of groups such as \`[{"matcher": "Bash", "hooks": […]}]\``,
    type: "array",
    items: group,
  },
  checkKey: (key) => {
    if (EVENTS.includes(key)) return undefined;
    const meant = meantWord(key, EVENTS);
    if (meant === undefined) {
      return {
        rule: "hook-event-unknown",
        message: `\`${key}\` is not a documented event`,
        hint: "check the name of the event",
      };
    }
    return {
      rule: "hook-event",
      message: `unexpected event \`${key}\`, expected \`${meant}\``,
      hint: `write \`${meant}\`: hooks of another event never run`,
    };
  },
};
