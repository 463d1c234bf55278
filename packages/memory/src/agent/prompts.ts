import type { PromptTemplates } from "../memory-store.ts";
import { type ChatMessage, formatMessages } from "./chat-message.ts";
import { MemoryAgentError } from "./protocol.ts";

/** The start of all prompts. */
const AGENT_PREFIX =
  "You are Mycelian's Memory Agent. Your job is to observe a conversation between a user and an AI Assistant and accurately store, retrieve and manage memories.";

/** The user message that the model receives. */
export const USER_LINE = "Execute the required operation.";

/** Characters of history in a prompt, so that it fits a model's window. */
const MAX_HISTORY = 200_000;

/** The messages of a history; only the newest if it is very long. */
function historyText(history: readonly ChatMessage[]): string {
  let left = MAX_HISTORY;
  let first = history.length;
  while (first > 0 && left - (history[first - 1]?.content.length ?? 0) >= 0) {
    first--;
    left -= history[first]?.content.length ?? 0;
  }
  const omitted = first === 0 ? "" : `(${first} earlier messages are left out.)\n`;
  return `${omitted}${formatMessages(history.slice(first))}`;
}

/** The memory that an agent works with. */
export interface MemoryPlace {
  readonly vaultId: string;
  readonly memoryId: string;
}

export interface ContextPromptParts extends MemoryPlace {
  readonly history: readonly ChatMessage[];
  readonly prompts: PromptTemplates;
}

export interface EntryPromptParts extends ContextPromptParts {
  /** The last message of `history`, to be processed. */
  readonly toProcess: ChatMessage | undefined;
}

/** The prompt for `add_entry`. Throws `MemoryAgentError` without a history or a message. */
export function buildAddEntryPrompt({ vaultId, memoryId, history, toProcess, prompts }: EntryPromptParts): string {
  if (history.length === 0) throw new MemoryAgentError("No conversation history found - START_SESSION may have failed");
  if (toProcess === undefined) throw new MemoryAgentError("No message to process");
  return `${AGENT_PREFIX}

Current Operation: PROCESS_MESSAGE
Vault ID: ${vaultId}
Memory ID: ${memoryId}

Previous conversation context (including retrieved context from previous sessions):
${historyText(history.slice(0, -1))}

Current message to process:
Role: ${toProcess.role}
Content: ${toProcess.content}

INSTRUCTION: Call the add_entry tool for this single message following the rules below.

---
ENTRY CAPTURE RULES:
${prompts.entryCapturePrompt}

---
SUMMARY GENERATION RULES:
${prompts.summaryPrompt}
`;
}

/** The prompt for `put_context`. Throws `MemoryAgentError` without a history. */
export function buildPutContextPrompt({ vaultId, memoryId, history, prompts }: ContextPromptParts): string {
  if (history.length === 0) throw new MemoryAgentError("No conversation history to synthesize");
  return `${AGENT_PREFIX}

Current Operation: CONTEXT_SYNTHESIS
Vault ID: ${vaultId}
Memory ID: ${memoryId}

Full conversation to synthesize into context:
${historyText(history)}

INSTRUCTION: Call the put_context tool to save a synthesized context document following the rules below.

---
CONTEXT MAINTENANCE RULES:
${prompts.contextPrompt}
`;
}
