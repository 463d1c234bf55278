import { forgetfulJournal } from "../journal/journal.ts";
import { localHost } from "../journal/local-host.ts";
import { addSpending, noSpending } from "../spending/spending.ts";
import type { Conversation } from "../types/compaction.ts";
import type { Session } from "./session.ts";

/** A session that lives in memory and leaves nothing behind. */
export function ephemeralSession(id: string): Session {
  const conversation: Conversation = { messages: [], compaction: undefined };
  let lastPrompt = 0;
  let spending = noSpending;
  let ownStep = localHost(forgetfulJournal, 0, []);
  return {
    id,
    messages: conversation.messages,
    conversation,
    isInterrupted: false,
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
    runPrompt: (work) => work(localHost(forgetfulJournal, ++lastPrompt, []), conversation, new Set()),
    clear() {
      conversation.messages.length = 0;
      conversation.compaction = undefined;
      spending = noSpending;
      ownStep = localHost(forgetfulJournal, 0, []);
    },
    close() {},
  };
}
