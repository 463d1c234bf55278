import type { AssistantMessage, LanguageModel, ToolCall } from "@mdx-ai/models";
import type { PromptFiles } from "../checkpoints/prompt-files.ts";
import type { NamedText } from "../context/largest-part.ts";
import { attemptsOf, readPrompt } from "../history/read-prompt.ts";
import type { Inbox } from "../hosts/inbox.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import type { PromptBegin } from "../loop/plan.ts";
import type { PromptEffects, PromptHooks } from "../loop/prompt-effects.ts";
import { NO_MODULES } from "../modules/loaded-modules.ts";
import { permissionGate } from "../permissions/permission-gate.ts";
import { sandboxOpenings } from "../permissions/sandbox-openings.ts";
import type { PromptJournal, Session } from "../session/session.ts";
import { skillContext } from "../skills/skill-contexts.ts";
import { skillMarks } from "../skills/skills.ts";
import type { ModuleHooks } from "../types/module.ts";
import type { SandboxOpenings } from "../types/permission.ts";
import type { PlannedTool, ToolOutcome, ToolRegistry } from "../types/tool-registry.ts";
import type { Accounting } from "./accounting.ts";
import type { LoadedAgent } from "./load-agent.ts";
import type { SessionOffer } from "./session-offer.ts";

export interface EffectParts {
  readonly session: Session;
  readonly loaded: LoadedAgent;
  readonly offer: SessionOffer;
  readonly system: string;
  readonly texts: () => readonly NamedText[];
  /** Not empty. */
  readonly models: readonly LanguageModel[];
  /** The working directory of the session; the agent's own if absent. Absolute. */
  readonly cwd: string | undefined;
  readonly inbox: Inbox;
  readonly journal: PromptJournal;
  /** Whether the prompt is only ended. */
  readonly isGivenUp: boolean;
  readonly accounting: Accounting;
  /** Records the files that tools change; absent if the session lives in memory. */
  readonly files: PromptFiles | undefined;
  begin(): Promise<PromptBegin>;
  onSummary(answer: AssistantMessage): void;
}

/** The effects of a prompt's steps in an agent. */
export function agentEffects(parts: EffectParts): PromptEffects {
  const { session, loaded, offer, system, texts, models, cwd, inbox, journal, accounting, begin, onSummary } = parts;
  const { options, permissions, modules } = loaded;
  const { clock, onWarning, directory } = options;
  const { prompt } = journal;
  const tools = offer.snapshot.registry;
  const readTool = tools.schemas.find(({ name }) => tools.nameOf(name) === "read_file")?.name ?? "read_file";
  const secrets = new LostSecrets(journal.journaled);
  // A hook may have ended each process that resumed the prompt.
  const { hooks } = parts.isGivenUp ? NO_MODULES : modules;
  return {
    begin,
    system,
    texts,
    tools: withTerms(tools, { permissions, session, cwd, files: parts.files }),
    session: session.id,
    gate: permissionGate({ permissions, session: session.id, sessionKey: session.key, cwd, tools }),
    hooks: promptHooks(hooks, {
      session: session.id,
      sessionKey: session.key,
      prompt,
      tools,
      isFirst: journal.conversation.messages.length === 0,
    }),
    skills: skillMarks({ skills: directory.definition.skills, agentDir: directory.path }, readTool),
    skillContexts: (names) =>
      names.flatMap((name) => {
        const skill = offer.skills.find((one) => one.name === name);
        return skill === undefined ? [] : [skillContext(skill, directory.path)];
      }),
    modelAt: (index, { provider, name }) => {
      const planned = models.find((model) => model.provider === provider && model.name === name);
      return planned ?? models[Math.min(index, models.length - 1)] ?? options.model;
    },
    spend: (answer, planned) => accounting.spend(answer, { session: session.id, prompt }, planned.facts),
    onSummary,
    expectCall: (wireName) => {
      // Its arguments take longer to arrive than the sandbox to be made.
      if (isContained(tools, wireName)) void loaded.sandbox.expect();
    },
    keepCalls: (answer) => secrets.keep(answer),
    lacksSecrets: (call) => secrets.isLost(call),
    closeInbox: () => inbox.close(),
    now: () => clock.now(),
    warn: onWarning,
  };
}

/** Whether a tool runs in the sandbox, if there is one. */
function isContained({ planned }: ToolRegistry, wireName: string): boolean {
  const { name, origin } = planned.find(({ wire }) => wire === wireName) ?? {};
  return origin === "inline" || (origin === "builtin" && name !== undefined && SHELLS.includes(name));
}

/** The tools as a session calls them. */
function withTerms(
  tools: ToolRegistry,
  {
    permissions,
    session,
    cwd,
    files,
  }: Pick<LoadedAgent, "permissions"> & Pick<EffectParts, "session" | "cwd" | "files">,
): ToolRegistry {
  const planned = (name: string): PlannedTool | undefined => tools.planned.find(({ wire }) => wire === name);
  const isBuiltin = (name: string): boolean => planned(name)?.origin === "builtin";
  const runsCommands = (name: string): boolean =>
    isBuiltin(name) || planned(name)?.origin.startsWith("skill:") === true;
  const openingsFor = (call: ToolCall): SandboxOpenings =>
    sandboxOpenings({
      ...{ permissions, session: session.id, sessionKey: session.key, toolCallId: call.id },
      ...{ tool: tools.nameOf(call.name), args: tools.argumentsOf(call) },
    });
  return {
    ...tools,
    run: (call, context) => {
      const run = (): Promise<ToolOutcome> =>
        tools.run(call, {
          ...context,
          ...(cwd !== undefined && { cwd }),
          ...(runsCommands(call.name) && { openings: openingsFor(call) }),
          ...(isBuiltin(call.name) && files && { keeper: files.keeperOf(call.id) }),
        });
      return files && mayChangeFiles(planned(call.name)) ? files.watched(call.id, run) : run();
    },
  };
}

/** The builtin tools that run commands. */
const SHELLS: readonly string[] = ["bash", "shell.exec"];

/** Whether a tool may change files without a word. Builtin tools report them, except for commands. */
const mayChangeFiles = (tool: PlannedTool | undefined): boolean =>
  tool?.readOnly !== true && (tool?.origin !== "builtin" || SHELLS.includes(tool.name));

/** The prompt that hooks are called for. */
interface HookedPrompt {
  readonly session: string;
  readonly sessionKey: string;
  readonly prompt: number;
  /** Whether the session has no earlier message. */
  readonly isFirst: boolean;
  readonly tools: Pick<ToolRegistry, "argumentsOf" | "nameOf">;
}

/** The hooks of an agent's modules as the loop calls them. */
function promptHooks(hooks: ModuleHooks, { session, sessionKey, prompt, tools, isFirst }: HookedPrompt): PromptHooks {
  const about = { session, sessionKey, prompt };
  const called = (call: ToolCall) => ({
    ...about,
    callId: call.id,
    tool: tools.nameOf(call.name),
    args: tools.argumentsOf(call),
  });
  return {
    beforePrompt: async (input, signal) => {
      const { contexts } = await hooks.beforePrompt({ ...about, input, isFirst, signal });
      return contexts.map(({ text }) => text);
    },
    beforeTool: async (call, signal) => {
      const { deny } = await hooks.beforeTool({ ...called(call), signal });
      return deny && `not run: ${deny.reason === "" ? `the module ${deny.module} denied it` : deny.reason}`;
    },
    afterTool: async (call, { content, details, isError }, signal) => {
      const result = { content, ...(details !== undefined && { details }) };
      await hooks.afterTool({ ...called(call), signal, result, isError });
    },
    afterPrompt: (end) => hooks.afterPrompt({ ...about, ...end, tools: end.tools.map((name) => tools.nameOf(name)) }),
  };
}

/** How a journal marks a secret that it does not keep. */
const MARK = /\[redacted [^\]]+\]/;

/**
 * Calls of answers that come from a journal: their arguments have marks in place of secrets, and must not run with them. A
 * call that the model made in this process may contain such a text, and runs.
 */
class LostSecrets {
  readonly #journaled: ReadonlySet<string>;
  readonly #live = new WeakSet<ToolCall>();

  /** From the lines of the prompt that an earlier process journaled. */
  constructor(journaled: readonly JournalLine[]) {
    const calls = attemptsOf(readPrompt(journaled)).flatMap(({ message }) => callsOf(message));
    this.#journaled = new Set(calls.map(({ id }) => id));
  }

  /** Notes calls that the model has just made. */
  keep(answer: AssistantMessage): void {
    for (const call of callsOf(answer)) this.#live.add(call);
  }

  isLost(call: ToolCall): boolean {
    return this.#journaled.has(call.id) && !this.#live.has(call) && MARK.test(JSON.stringify(call.arguments));
  }
}

const callsOf = ({ content }: AssistantMessage): readonly ToolCall[] =>
  content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
