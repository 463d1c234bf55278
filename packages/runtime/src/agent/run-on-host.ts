import { type Clock, systemClock } from "@mdx-ai/base";
import {
  type AgentTool,
  type Conversation,
  type Cost,
  type Host,
  headSize,
  type PermissionGate,
  runPrompt,
  type ToolRegistry,
  upperBound,
  userMessage,
} from "@mdx-ai/loop";
import type { LanguageModel, Message, ModelParameters } from "@mdx-ai/models";
import { toolRegistry } from "@mdx-ai/tools";
import { DEFAULT_RETRIES, DEFAULT_TURNS, retryDelays } from "./prompt-settings.ts";

/** A prompt to run on the caller's host. */
export interface HostedPrompt {
  /** Unique within the session. */
  readonly id: string;
  /** Its number in the session. Event and question ids begin with it. Default: 1. */
  readonly number?: number;
  readonly input: string;
  /** The models, in order: each one is used if all before it are unavailable. Not empty. */
  readonly models: readonly LanguageModel[];
  readonly system?: string;
  /** The conversation so far. Default: none. */
  readonly messages?: readonly Message[];
  /** The tools. One whose `permission` is "ask" runs unless `host.ask` answers "no". Default: none. */
  readonly tools?: readonly AgentTool[];
  readonly parameters?: ModelParameters;
  /** As in `AgentOptions`. */
  readonly retries?: number | readonly number[];
  readonly maxTurns?: number;
  /** The session id that tools receive. Default: "main". */
  readonly session?: string;
  /** The folder that tools receive as agent directory and as working directory. Absolute. Default: the current folder. */
  readonly cwd?: string;
  readonly clock?: Clock;
}

export interface HostedOutcome {
  /** The conversation, including this prompt. */
  readonly messages: readonly Message[];
  readonly cost: Cost;
}

/**
 * Runs the loop for one prompt on the caller's host, such as an engine for durable workflows, without a directory, session, sandbox
 * or compaction. Started again with the same arguments on a host that has stored the step results, it continues where
 * it stopped. Rejects only if the host cannot store a step.
 */
export async function runOnHost(host: Host, prompt: HostedPrompt): Promise<HostedOutcome> {
  const { id, input, models, system = "", session = "main", cwd = process.cwd(), clock = systemClock } = prompt;
  const tools = toolRegistry(prompt.tools ?? [], { agentDir: cwd, cwd, log: async () => {} });
  const conversation: Conversation = { first: 0, messages: [...(prompt.messages ?? [])], compaction: undefined };
  const effects = {
    begin: async () => ({ id, input: userMessage({ text: input }, clock.now()), plan: planOf(prompt, tools, system) }),
    ...{ system, tools, session },
    gate: gateOf(tools, session),
    hooks: NO_HOOKS,
    skills: () => ({ keeps: () => false, isContext: () => false, skillTexts: async () => [] }),
    skillContexts: () => [],
    modelAt: (index: number) => modelAt(models, index),
    spend: async () => undefined,
    journaledRefusal: async () => undefined,
    now: () => clock.now(),
    warn: () => {},
  };
  const cost = await runPrompt(host, effects, { prompt: prompt.number ?? 1, conversation });
  return { messages: conversation.messages, cost };
}

const planOf = ({ models, parameters = {}, retries, maxTurns }: HostedPrompt, tools: ToolRegistry, system: string) => ({
  models: models.map(({ provider, name }) => ({ provider, name })),
  parameters,
  retries: retryDelays(retries ?? DEFAULT_RETRIES),
  limits: { turns: maxTurns ?? DEFAULT_TURNS },
  context: {},
  head: headSize({ system, tools: tools.schemas }, upperBound),
  tools: tools.planned,
});

/** The gate that follows the tools' `permission`. The host asks, and each answer applies to one call only. */
const gateOf = (tools: ToolRegistry, session: string): PermissionGate => ({
  question: async (call) => {
    const toolName = tools.nameOf(call.name);
    const args = tools.argumentsOf(call);
    const reason = `${toolName} requires approval`;
    const access = { kind: "call" } as const;
    return {
      kind: "approval",
      request: { session, toolCallId: call.id, toolName, args, access, reason, pattern: toolName },
    };
  },
  settle: async (_call, _subject, { answer, reason }) =>
    answer === "no" ? { action: "deny", reason: reason ?? "the user refused it" } : { action: "allow" },
  rule: async ({ name }) => {
    const action = tools.permissionOf(name);
    if (action === "ask") return undefined;
    return action === "allow" ? { action } : { action, reason: `${tools.nameOf(name)} is denied by its author` };
  },
});

const NO_HOOKS = {
  beforePrompt: async () => ({ texts: [] }),
  beforeTool: async () => undefined,
  afterTool: async () => [],
  beforeEnd: async () => [],
  afterPrompt: async () => {},
};

function modelAt(models: readonly LanguageModel[], index: number): LanguageModel {
  const model = models[Math.min(index, models.length - 1)];
  if (model === undefined) throw new TypeError("a prompt needs a model");
  return model;
}
