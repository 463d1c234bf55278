import { defined } from "@mdx-ai/base";
import {
  type Cost,
  type FileKeeper,
  isCost,
  type PermissionGate,
  type PlannedTool,
  type PromptEffects,
  type PromptHooks,
  type SandboxGrants,
  SECRETS_LOST,
  type ToolRegistry,
} from "@mdx-ai/loop";
import type { AssistantMessage, ToolCall } from "@mdx-ai/models";
import type { PermissionMode } from "@mdx-ai/parser";
import { permissionGate, sandboxGrants } from "@mdx-ai/permissions";
import {
  type OpenedSession,
  type PromptHistory,
  type PromptJournal,
  readPrompt,
  type SessionQuestions,
} from "@mdx-ai/sessions";
import type { PromptBudget } from "../budget/prompt-budget.ts";
import { skillContext } from "../skills/skill-contexts.ts";
import { skillMarks } from "../skills/skills.ts";
import type { HookDenial, ModuleHooks } from "../types/module.ts";
import type { Accounting } from "./accounting.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { NO_MODULES } from "./open-modules.ts";
import { toolsFolder } from "./prompt-settings.ts";
import type { PromptSetup } from "./prompt-setup.ts";

export interface EffectParts {
  readonly session: OpenedSession;
  readonly loaded: LoadedAgent;
  readonly setup: PromptSetup;
  /** The working directory of the session. Absolute. Default: the agent's working directory. */
  readonly cwd: string | undefined;
  readonly journal: PromptJournal;
  /** Whether the prompt is only closed. */
  readonly isGivenUp: boolean;
  readonly accounting: Accounting;
  /** Journals the files that tools change; returns undefined if the session lives in memory. */
  readonly keeper: () => FileKeeper | undefined;
  readonly questions: () => SessionQuestions;
  onSummary(answer: AssistantMessage): void;
  readonly budget: PromptBudget | undefined;
}

/** The effects of a prompt's steps in an agent. */
export function agentEffects(parts: EffectParts): PromptEffects {
  const { session, loaded, setup, cwd, journal, accounting, onSummary } = parts;
  const { toolSet, system, texts, models } = setup;
  const { options, permissions, modules } = loaded;
  const { clock, onWarning, directory } = options;
  const { prompt } = journal;
  const past = journal.journaled.length === 0 ? undefined : readPrompt(journal.journaled);
  const { task } = past?.begin?.plan ?? setup.begin.plan;
  const place = { session: session.id, prompt, ...defined({ task }) };
  const tools = toolSet.snapshot.registry;
  const gate = permissionGate({ permissions, session: session.id, sessionKey: session.key, cwd, tools });
  // A hook may have crashed each process that resumed the prompt.
  const { hooks } = parts.isGivenUp ? NO_MODULES : modules;
  return {
    begin: async () => setup.begin,
    system,
    texts,
    tools: counted(
      withTerms(tools, { permissions, session, cwd, keeper: parts.keeper, questions: parts.questions }),
      (name, cost) => {
        const at = new Date(clock.now()).toISOString();
        const { usage, usd, latency } = cost;
        accounting.record({ at, ...place, model: `tool/${name}`, ...usage, usd, latency });
        parts.budget?.count(usage, usd);
      },
    ),
    session: session.id,
    gate,
    hooks: promptHooks(hooks, {
      session: session.id,
      sessionKey: session.key,
      prompt,
      tools,
      isFirst: journal.conversation.messages.length === 0,
      cwd: cwd ?? toolsFolder(options),
      modeOf: (key) => permissions.modeOf(key),
    }),
    skills: () => skillMarks({ skills: directory.definition.skills, agentDir: directory.path }, tools),
    skillContexts: (names) =>
      names.flatMap((name) => {
        const skill = toolSet.skills.find((one) => one.name === name);
        return skill === undefined ? [] : [skillContext(skill, directory.path)];
      }),
    modelAt: (index, { provider, name }) => {
      const planned = models.find((model) => model.provider === provider && model.name === name);
      return planned ?? models[Math.min(index, models.length - 1)] ?? options.model;
    },
    spend: async (answer, planned) => {
      const usd = await accounting.spend(answer, place, planned.facts);
      parts.budget?.count(answer.usage, usd);
      return usd;
    },
    ...defined({ budget: parts.budget }),
    onSummary,
    expectCall: (wireName) => {
      // The sandbox is ready before the call's arguments have arrived.
      if (isContained(tools, wireName)) void loaded.sandbox.expect();
    },
    journaledRefusal: journaledRefusals(past, gate),
    now: () => clock.now(),
    warn: onWarning,
  };
}

/** Whether a tool runs in the sandbox when there is one. */
function isContained({ planned }: ToolRegistry, wireName: string): boolean {
  const { origin, effects } = planned.find(({ wire }) => wire === wireName) ?? {};
  return origin === "inline" || effects === "runs";
}

/** The tools, with a report of the model calls that a tool made itself. Those of agents are reported as they are made. */
const counted = (tools: ToolRegistry, onCost: (tool: string, cost: Cost) => void): ToolRegistry => ({
  ...tools,
  run: async (call, context) => {
    const outcome = await tools.run(call, context);
    const { name = call.name, origin = "" } = tools.planned.find(({ wire }) => wire === call.name) ?? {};
    if (isCost(outcome.cost) && !origin.startsWith("agent:")) onCost(name, outcome.cost);
    return outcome;
  },
});

/** The tools, bound to a session. */
function withTerms(
  tools: ToolRegistry,
  {
    permissions,
    session,
    cwd,
    keeper,
    questions,
  }: Pick<LoadedAgent, "permissions"> & Pick<EffectParts, "session" | "cwd" | "keeper" | "questions">,
): ToolRegistry {
  const planned = (name: string): PlannedTool | undefined => tools.planned.find(({ wire }) => wire === name);
  const runsCommands = (name: string): boolean =>
    planned(name)?.effects === "runs" || planned(name)?.origin.startsWith("skill:") === true;
  const grantsFor = (call: ToolCall): SandboxGrants =>
    sandboxGrants({
      ...{ permissions, session: session.id, sessionKey: session.key, toolCallId: call.id },
      ...{ tool: tools.nameOf(call.name), args: tools.argumentsOf(call) },
      ask: (subject, signal, isSettled) => questions().askBeside(subject, signal, { isSettled }),
    });
  return {
    ...tools,
    run: (call, context) =>
      tools.run(call, {
        ...context,
        ...(cwd !== undefined && { cwd }),
        ...(runsCommands(call.name) && { grants: grantsFor(call) }),
        ...(planned(call.name)?.effects && defined({ keeper: keeper() })),
      }),
  };
}

/** A prompt as its hooks see it. */
interface HookedPrompt {
  readonly session: string;
  readonly sessionKey: string;
  readonly prompt: number;
  /** Whether the session has no earlier messages. */
  readonly isFirst: boolean;
  /** The working directory of tools. Absolute. */
  readonly cwd: string;
  modeOf(sessionKey: string): PermissionMode;
  readonly tools: Pick<ToolRegistry, "argumentsOf" | "nameOf">;
}

/** The hooks of an agent's modules as the loop calls them. */
function promptHooks(
  hooks: ModuleHooks,
  { session, sessionKey, prompt, tools, isFirst, cwd, modeOf }: HookedPrompt,
): PromptHooks {
  const about = () => ({ session, sessionKey, prompt, cwd, mode: modeOf(sessionKey) });
  const called = (call: ToolCall) => ({
    ...about(),
    callId: call.id,
    tool: tools.nameOf(call.name),
    args: tools.argumentsOf(call),
  });
  return {
    beforePrompt: async (input, signal) => {
      const { contexts, deny } = await hooks.beforePrompt({ ...about(), input, isFirst, signal });
      const texts = contexts.map(({ text }) => text);
      return deny === undefined ? { texts } : { texts, denied: denialOf(deny) };
    },
    beforeTool: async (call, signal) => {
      const { deny } = await hooks.beforeTool({ ...called(call), signal });
      return deny && `not run: ${denialOf(deny)}`;
    },
    afterTool: async (call, { content, details, isError }, signal) => {
      const result = { content, ...(details !== undefined && { details }) };
      return hooks.afterTool({ ...called(call), signal, result, isError });
    },
    beforeEnd: (text, isContinued, signal) => hooks.beforeEnd({ ...about(), text, isContinued, signal }),
    afterPrompt: (end) => hooks.afterPrompt({ ...about(), ...end, tools: end.tools.map((name) => tools.nameOf(name)) }),
  };
}

const denialOf = ({ module, reason }: HookDenial): string =>
  reason === "" ? `the module ${module} denied it` : reason;

/** The placeholder for a redacted secret in a journal. */
const MARK = /\[redacted [^\]]+\]/;

/** Why journaled calls of an earlier process must not run: their secrets were redacted, or the user denies them now. */
function journaledRefusals(past: PromptHistory | undefined, gate: PermissionGate): PromptEffects["journaledRefusal"] {
  const calls = new Set(past?.turns.flatMap((turn) => turn.calls.map(({ step }) => step)));
  return async ({ call, step }) => {
    if (!calls.has(step)) return undefined;
    if (MARK.test(JSON.stringify(call.arguments))) return SECRETS_LOST;
    const ruled = await gate.rule(call);
    return ruled?.action === "deny" ? ruled.reason : undefined;
  };
}
