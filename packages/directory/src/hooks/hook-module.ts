import { join } from "node:path";
import { dataLayout, type JsonObject, type JsonValue } from "@mdx-ai/base";
import type { Question } from "@mdx-ai/loop";
import type { HookEventName, PermissionMode } from "@mdx-ai/parser";
import type { AgentModule, HookEvent, ProgramModule, QuestionEvent } from "@mdx-ai/runtime";
import type { HookOutcome } from "./hook-outcome.ts";
import { type HookedEvent, type HookRunOptions, type HookSource, runHooks } from "./run-hooks.ts";
import { hookToolInput, hookToolName, matches, matchesTool } from "./tool-names.ts";

export interface HookModuleOptions extends HookRunOptions {
  readonly sources: readonly HookSource[];
  /** Contains `sessions/`. Absolute. */
  readonly dataDirectory: string;
}

/** A module with the hooks of the settings. */
export interface HookModule {
  readonly module: ProgramModule;
  /** Runs the hooks for the end of a session. Never rejects. */
  endSession(sessionKey: string): Promise<void>;
  /** The same for all sessions of this process. */
  endAll(): Promise<void>;
}

/** Each hook has a limit of its own. */
const HOOK_LIMIT = 86_400_000;

/** The names of the modes in Claude Code. */
const MODES: Readonly<Record<PermissionMode, string>> = {
  plan: "plan",
  ask: "default",
  edits: "acceptEdits",
  all: "bypassPermissions",
};

/** What opened a question, in `Notification`. */
const NOTIFICATIONS: Readonly<Record<Question["kind"], readonly [type: string, message: string]>> = {
  approval: ["permission_prompt", "The agent needs your permission"],
  elicitation: ["elicitation_dialog", "An MCP server asks"],
  sign_in: ["sign_in", "An MCP server wants you to sign in"],
  budget: ["budget", "A limit is reached"],
};

type SessionEvent = Omit<HookEvent, "prompt">;

/** Runs commands at the events of prompts, calls and questions. It has only the hooks of modules that its commands need. */
export function hookModule(options: HookModuleOptions): HookModule {
  const { sources } = options;
  const own = sources.filter(({ agent }) => agent === undefined);
  const has = (from: readonly HookSource[], ...events: readonly HookEventName[]): boolean =>
    from.some(({ hooks }) => events.some((event) => hooks[event] !== undefined));
  const sessions = new Map<string, SessionEvent>();
  const common = ({ session, cwd, mode }: SessionEvent, { agent }: HookSource): JsonObject => ({
    session_id: session,
    transcript_path: join(dataLayout(options.dataDirectory).sessions, session, "journal.jsonl"),
    ...{ cwd, permission_mode: MODES[mode] },
    ...(agent !== undefined && { agent_id: session, agent_type: agent }),
  });
  const run = async (
    from: readonly HookSource[],
    about: SessionEvent,
    { input, ...event }: Omit<HookedEvent, "source" | "cwd">,
  ): Promise<readonly HookOutcome[]> => {
    const runs = from.map((source) =>
      runHooks({ ...event, source, cwd: about.cwd, input: { ...common(about, source), ...input } }, options),
    );
    return (await Promise.all(runs)).flat();
  };
  const ofTool = (tool: string) => (matcher: string | undefined) => matchesTool(matcher, tool);
  const ofWord = (word: string) => (matcher: string | undefined) => matches(matcher, [word]);
  const all = () => true;

  const beforePrompt: AgentModule["beforePrompt"] = async (event) => {
    const { sessionKey, isFirst, input, signal } = event;
    const source = isFirst ? "startup" : "resume";
    const isNew = !sessions.has(sessionKey);
    sessions.set(sessionKey, event);
    const start = { event: "SessionStart", input: { source }, signal, matches: ofWord(source) } as const;
    const submit = { event: "UserPromptSubmit", input: { prompt: input }, signal, matches: all } as const;
    const outcomes = [
      ...(isNew ? withoutDenial(await run(own, event, start)) : []),
      ...(await run(own, event, submit)),
    ];
    const denied = denialIn(outcomes);
    const context = contextIn(outcomes);
    if (denied !== undefined) return { deny: denied };
    return context === undefined ? undefined : { context };
  };

  const beforeTool: AgentModule["beforeTool"] = async (event) => {
    const { tool, args, callId, cwd, signal } = event;
    const input = { tool_name: hookToolName(tool), tool_input: hookToolInput(args, cwd), tool_use_id: callId };
    const denied = denialIn(await run(sources, event, { event: "PreToolUse", input, signal, matches: ofTool(tool) }));
    return denied === undefined ? undefined : { deny: denied };
  };

  const afterTool: AgentModule["afterTool"] = async (event) => {
    const { tool, args, callId, cwd, signal, isError, result } = event;
    const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const input: JsonObject = {
      ...{ tool_name: hookToolName(tool), tool_input: hookToolInput(args, cwd), tool_use_id: callId },
      ...(isError ? { error: text } : { tool_response: responseOf(text) }),
    };
    const name = isError ? "PostToolUseFailure" : "PostToolUse";
    const outcomes = await run(sources, event, { event: name, input, signal, matches: ofTool(tool) });
    const said = [denialIn(outcomes), contextIn(outcomes)].filter((one) => one !== undefined);
    return said.length === 0 ? undefined : { context: `[hook after ${tool}] ${said.join("\n")}` };
  };

  const beforeEnd: AgentModule["beforeEnd"] = async (event) => {
    const { text, isContinued, signal } = event;
    const input = { stop_hook_active: isContinued, last_assistant_message: text };
    const called = sources.filter(({ agent }) => agent !== undefined);
    const outcomes = [
      ...(await run(own, event, { event: "Stop", input, signal, matches: all })),
      ...(await run(called, event, {
        ...{ event: "SubagentStop", input, signal },
        matches: (matcher) => called.some(({ agent = "" }) => matches(matcher, [agent])),
      })),
    ];
    const denied = denialIn(outcomes);
    return denied === undefined ? undefined : { continue: `[hook before the end] ${denied}` };
  };

  const onQuestion = async (event: QuestionEvent): Promise<{ deny: string } | undefined> => {
    const { question } = event;
    const [type, message] = NOTIFICATIONS[question.kind];
    const note = { message: noteOf(question, message), notification_type: type };
    const noted = run(own, event, { event: "Notification", input: note, matches: ofWord(type) });
    const asked = question.kind === "approval" ? permissionEvent(question, event.cwd) : undefined;
    const outcomes = asked === undefined ? [] : await run(own, event, { ...asked, matches: ofTool(asked.tool) });
    await noted;
    const denied = denialIn(outcomes);
    return denied === undefined ? undefined : { deny: denied };
  };

  const end = async (event: SessionEvent): Promise<void> => {
    await run(own, event, { event: "SessionEnd", input: { reason: "other" }, matches: ofWord("other") });
  };
  const endSession = async (sessionKey: string): Promise<void> => {
    const event = sessions.get(sessionKey);
    sessions.delete(sessionKey);
    if (event !== undefined) await end(event);
  };

  const module: ProgramModule = {
    hookLimit: HOOK_LIMIT,
    describe: () => ({ name: "hooks", description: "Runs the hooks of agent.mdx" }),
    ...(has(own, "SessionStart", "UserPromptSubmit", "SessionEnd") && { beforePrompt }),
    ...(has(sources, "PreToolUse") && { beforeTool }),
    ...(has(sources, "PostToolUse", "PostToolUseFailure") && { afterTool }),
    ...((has(own, "Stop") || sources.some((source) => source.agent !== undefined && has([source], "SubagentStop"))) && {
      beforeEnd,
    }),
    ...(has(own, "Notification", "PermissionRequest") && { onQuestion }),
  };
  return {
    module,
    endSession,
    endAll: async () => {
      await Promise.all([...sessions.keys()].map(endSession));
    },
  };
}

function permissionEvent({ request: { toolName, args } }: Extract<Question, { kind: "approval" }>, cwd: string) {
  const input = { tool_name: hookToolName(toolName), tool_input: hookToolInput(args, cwd) };
  return { event: "PermissionRequest", tool: toolName, input } as const;
}

const noteOf = (question: Question, message: string): string =>
  question.kind === "approval" ? `${message} to use ${hookToolName(question.request.toolName)}` : message;

/** The first denial. */
const denialIn = (outcomes: readonly HookOutcome[]): string | undefined =>
  outcomes.find(({ denied }) => denied !== undefined)?.denied;

/** A session cannot be denied. */
const withoutDenial = (outcomes: readonly HookOutcome[]): readonly HookOutcome[] =>
  outcomes.map(({ denied: _denied, ...outcome }) => outcome);

function contextIn(outcomes: readonly HookOutcome[]): string | undefined {
  const texts = outcomes.flatMap(({ context }) => context ?? []);
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

/** The result of a call; a command's output as Claude Code names it. */
const responseOf = (text: string): JsonValue => ({ content: text, stdout: text, success: true });
