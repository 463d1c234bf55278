import type { LanguageModel } from "@mdx-ai/models";
import type { PromptLimits } from "@mdx-ai/parser";
import { headSize, upperBound } from "../context/message-size.ts";
import type { PromptPlan } from "../loop/plan.ts";
import type { OpenedSession } from "../session/session.ts";
import { workspaceAt } from "../session/session-workspace.ts";
import type { PromptHook } from "../types/event.ts";
import type { Accounting } from "./accounting.ts";
import type { LoadedAgent } from "./load-agent.ts";
import { modeNote } from "./mode-note.ts";
import { newSkills, type SessionOffer } from "./session-offer.ts";

const HOOKS: readonly PromptHook[] = ["beforePrompt", "beforeTool", "afterTool", "afterPrompt"];

/** The input of a plan. */
export interface PlanParts {
  readonly session: OpenedSession;
  readonly loaded: LoadedAgent;
  readonly offer: SessionOffer;
  readonly system: string;
  /** What the user says. */
  readonly input: string;
  /** Not empty. */
  readonly models: readonly LanguageModel[];
  readonly accounting: Accounting;
  /** When the prompt begins, in milliseconds since 1970. */
  readonly timestamp: number;
  /** Where the session's tools work; the agent directory if undefined. Absolute. */
  readonly cwd: string | undefined;
}

/** The plan of a prompt that begins. */
export async function promptPlan({
  session,
  loaded,
  offer,
  system,
  input,
  models,
  accounting,
  timestamp,
  cwd,
}: PlanParts): Promise<PromptPlan> {
  const { registry: tools } = offer.snapshot;
  const { limits, ...settings } = loaded.settings;
  const workspace = cwd === undefined ? undefined : workspaceAt(cwd, loaded.options.directory);
  const note = modeNote(loaded.permissions.modeOf(session.key), session.messages);
  const skills = newSkills(input, { session, loaded, offer }).map(({ name }) => name);
  const hooks = HOOKS.filter((hook) => loaded.modules.hooks.has(hook));
  return {
    ...settings,
    models: await Promise.all(
      models.map(async ({ provider, name }) => ({ provider, name, facts: await accounting.factsOf(provider, name) })),
    ),
    limits,
    ...(limits.seconds !== undefined && { deadline: timestamp + 1000 * limits.seconds }),
    head: headSize({ system, tools: tools.schemas }, upperBound),
    tools: tools.planned,
    ...spentBefore(limits, session, accounting),
    ...(note !== undefined && { modeNote: note }),
    ...(skills.length > 0 && { skills }),
    ...(hooks.length > 0 && { hooks }),
    ...(workspace !== undefined && { workspace }),
  };
}

/**
 * Read only if a limit counts it: to know the day, the time zone must be loaded, which takes longer than all else here.
 */
function spentBefore(
  { session: ofSession, day }: PromptLimits,
  { cost }: OpenedSession,
  accounting: Accounting,
): Pick<PromptPlan, "spentBefore"> {
  if (ofSession === undefined && day === undefined) return {};
  return { spentBefore: { ...(ofSession && { session: cost }), ...(day && { day: accounting.today() }) } };
}
