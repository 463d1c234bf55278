import { forgetfulJournal } from "../journal/journal.ts";
import { localHost } from "../journal/local-host.ts";
import { addSpending, noSpending } from "../spending/spending.ts";
import type { Conversation } from "../types/compaction.ts";
import type { Session } from "./session.ts";

/** A session that lives in memory and leaves nothing behind. */
export function ephemeralSession(id: string): Session {
  const conversation: Conversation = { first: 0, messages: [], compaction: undefined };
  const host = (prompt: number): Session["ownStep"] => localHost(forgetfulJournal, prompt, []);
  let lastPrompt = 0;
  let spending = noSpending;
  let ownStep = host(0);
  return {
    id,
    messages: conversation.messages,
    conversation,
    interrupted: undefined,
    queued: [],
    rewinds: 0,
    agentParts: undefined,
    get ownStep() {
      return ownStep;
    },
    get lastPrompt() {
      return lastPrompt;
    },
    get spending() {
      return spending;
    },
    count(more) {
      spending = addSpending(spending, more);
    },
    runPrompt: (work) =>
      work({ step: host(++lastPrompt), conversation, recorded: new Set(), sync: () => forgetfulJournal.sync() }),
    setAgentParts: async () => {},
    enqueue: async () => 0,
    dequeue: async () => {},
    clear() {
      conversation.messages.length = 0;
      conversation.compaction = undefined;
      spending = noSpending;
      ownStep = host(0);
    },
    close() {},
  };
}
