import type { LanguageModel } from "@mdx-ai/models";
import { capitalized } from "../capitalized.ts";
import { compactionLine } from "../output/incident-line.ts";
import type { SessionOptions } from "./session-options.ts";
import { infoText } from "./view/info-text.ts";

/** What `/info` tells. Rejects as `Agent.info` does. */
export async function reportInfo({ agent, session }: SessionOptions): Promise<string> {
  const [messages, info] = await Promise.all([agent.messages(session), agent.info(session)]);
  return infoText({
    models: [agent.model, ...agent.fallbacks].map(fullName),
    session,
    messages: messages.length,
    turns: messages.filter(({ role }) => role === "assistant").length,
    info,
  });
}

/** Does what `/compact` asks for and says what came of it. Rejects as `Agent.compact` does. */
export async function reportCompaction({ agent, session }: SessionOptions, signal: AbortSignal): Promise<string> {
  const report = await agent.compact(session, signal);
  if (report === undefined) return signal.aborted ? "Stopped" : "There is nothing to compact yet.";
  return `${capitalized(compactionLine(report))}.`;
}

const fullName = ({ provider, name }: LanguageModel): string => `${provider}/${name}`;
