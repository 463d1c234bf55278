import { capitalized, plainLine } from "@mdx-ai/directory/text";
import { counted, grouped, localTime } from "@mdx-ai/directory/views/figures";
import { figuresText } from "@mdx-ai/directory/views/passages";
import { compactionLine, pendingLine, usageText } from "@mdx-ai/directory/views/prompt-lines";
import type { Cost, PendingPrompt } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";
import type { Agent, Session, SessionInfo } from "@mdx-ai/runtime";
import { readSession } from "@mdx-ai/sessions";

/** The user's name, and the model chosen instead of the agent's. */
export interface InfoRequest {
  readonly user: string;
  readonly model: LanguageModel | undefined;
}

/** The answer of `/info`. Rejects as `Session.info` does. */
export async function reportInfo(agent: Agent, id: string, { user, model }: InfoRequest): Promise<string> {
  const session = agent.session(id);
  const [messages, info] = await Promise.all([session.messages(), session.info({ model })]);
  return infoText({
    user,
    models: (model === undefined ? [agent.model, ...agent.fallbacks] : [model]).map(fullName),
    session: id,
    messages: messages.length,
    turns: messages.filter(({ role }) => role === "assistant").length,
    info,
  });
}

/** The answer of `/session info` for a session on disk, with how many memories all sessions share. Throws as `readSession` does. */
export function reportSession(dataDir: string, id: string, memories: number): string {
  const { summary, messages } = readSession(dataDir, id);
  const [first] = messages;
  const lines: readonly (readonly [label: string, text: string | undefined])[] = [
    ["Session", id],
    ["Title", summary.title === "" ? undefined : plainLine(summary.title)],
    ["Created", first && localTime(first.timestamp)],
    ["Last used", summary.lastUsed === undefined ? undefined : localTime(summary.lastUsed)],
    ["Messages", grouped(messages.length)],
    ["Memories", grouped(memories)],
    ["Figures", figuresText(summary)],
  ];
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [`${label.padEnd(11)}${text}`])).join("\n");
}

/** Compacts the session and returns the answer of `/compact`. Rejects as `Session.compact` does. */
export async function reportCompaction(
  session: Session,
  { signal, model }: { readonly signal: AbortSignal; readonly model: LanguageModel | undefined },
): Promise<string> {
  const report = await session.compact({ signal, model });
  if (report !== undefined) return `${capitalized(compactionLine(report))}.`;
  return signal.aborted ? "Stopped" : "There is nothing to compact yet.";
}

/** The prompts that an earlier process left unfinished, and how to run them; undefined if there are none. */
export function pendingText(pendingPrompts: readonly PendingPrompt[], resumes: boolean): string | undefined {
  if (pendingPrompts.length === 0) return undefined;
  const lines = pendingPrompts.map((pendingPrompt) => `  ${pendingLine(pendingPrompt)}`);
  const next = resumes ? [] : [nextStep(pendingPrompts)];
  return ["Interrupted and queued prompts:", ...lines, ...next].join("\n");
}

/** What happens to pending prompts by default, and how to run them. They belong to one session. */
function nextStep(pendingPrompts: readonly PendingPrompt[]): string {
  return pendingPrompts.some(({ isUntrusted }) => isUntrusted)
    ? "This session was not started by your mdx-ai: your next prompt closes these prompts, and only /resume runs them."
    : "They run before your next prompt; /resume runs them now, and /drop closes them.";
}

const fullName = ({ provider, name }: LanguageModel): string => `${provider}/${name}`;

/** The data of `/info`. */
export interface InfoParts {
  readonly user: string;
  /** Each as `provider/name`, in fallback order. Not empty. */
  readonly models: readonly string[];
  readonly session: string;
  readonly messages: number;
  readonly turns: number;
  readonly info: SessionInfo;
}

const labelWidth = 11;

/** A session with its usage and cost, one fact per line. */
export function infoText({ user, models, session, messages, turns, info }: InfoParts): string {
  const [model = "", ...fallbacks] = models;
  const lines: readonly (readonly [label: string, text: string])[] = [
    ["User", plainLine(user)],
    ["Model", model],
    ...fallbacks.map((fallback, index) => [index === 0 ? "Fallback" : "", fallback] as const),
    ["Session", `${session}, ${counted(messages, "message")}, ${counted(turns, "turn")}`],
    ["Spent", spentText(info.session)],
    ["Today", spentText(info.day)],
    ["Context", contextText(info.context)],
  ];
  return lines.map(([label, text]) => `${label.padEnd(labelWidth)}${text}`).join("\n");
}

const spentText = (cost: Cost): string => usageText(cost) ?? "no tokens";

/** How full the model's window is. */
function contextText({ tokens, measured, window }: SessionInfo["context"]): string {
  const how = measured === "provider" ? "counted by the provider" : "estimated";
  const part =
    window === undefined ? "of a window of unknown size" : `${percentage(tokens, window)} of ${grouped(window)}`;
  return `${counted(tokens, "token")}, ${part} (${how})`;
}

function percentage(tokens: number, window: number): string {
  const percent = (100 * tokens) / window;
  return percent > 0 && percent < 1 ? "less than 1 %" : `${Math.round(percent)} %`;
}
