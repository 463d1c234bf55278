import type { Message } from "@mdx-ai/models";

/** Why a provider would refuse messages. */
export function transcriptProblems(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  let wanted: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (wanted.shift() !== message.toolCallId) problems.push(`result ${message.toolCallId} is out of place`);
      continue;
    }
    if (wanted.length > 0) problems.push(`no result of ${wanted}`);
    wanted = [];
    if (message.role === "user" || message.stopReason === "error" || message.stopReason === "aborted") continue;
    wanted = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  }
  return wanted.length > 0 ? [...problems, `no result of ${wanted}`] : problems;
}
