import type { OpenDirectory } from "@mdx-ai/directory";
import type { ActivePrompt } from "@mdx-ai/runtime";
import { sessionSummary } from "@mdx-ai/sessions";

type Summary = ReturnType<typeof sessionSummary>;

/** A session for a client: times are ISO 8601, costs are US dollars. */
export interface SessionView {
  readonly id: string;
  /** The user's title, else the first prompt. Untrusted text. */
  readonly title: string;
  /** Waiting: a question waits for its answer. Unfinished: no process runs its prompts. */
  readonly state: "idle" | "running" | "waiting" | "unfinished" | "damaged";
  /** The prompts that wait or run in the server, in order. */
  readonly active: readonly ActivePrompt[];
  readonly [figure: string]: unknown;
}

/** The sessions of an agent, the last used first. */
export const sessionViews = (open: OpenDirectory, summaries: readonly Summary[]): readonly SessionView[] =>
  summaries.map((summary) => viewOf(open, summary));

/** One session. */
export const sessionView = (open: OpenDirectory, id: string): SessionView =>
  viewOf(open, sessionSummary(open.dataDirectory, id));

function viewOf({ agent }: OpenDirectory, summary: Summary): SessionView {
  const { id } = summary;
  const { activePrompts: active, openQuestions } = agent.session(id);
  if (summary.state === "damaged") return { id, title: "", state: "damaged", active, damage: summary.damage };
  const { title, cost, created, lastUsed, isUnfinished, prompts, turns, tokens, workspace } = summary;
  const idle = isUnfinished ? "unfinished" : "idle";
  const busy = openQuestions.length > 0 ? "waiting" : "running";
  return {
    ...{ id, title, state: active.length > 0 ? busy : idle, active, prompts, turns, tokens },
    ...{ usage: cost.usage, usd: cost.usd, unpriced: cost.unpriced },
    ...(workspace !== undefined && { workspace }),
    ...(created !== undefined && { createdAt: new Date(created).toISOString() }),
    ...(lastUsed !== undefined && { updatedAt: new Date(lastUsed).toISOString() }),
  };
}
