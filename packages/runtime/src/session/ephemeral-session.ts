import type { Message } from "@mdx-ai/models";
import { forgetfulJournal } from "../journal/journal.ts";
import { localHost } from "../journal/local-host.ts";
import type { Session } from "./session.ts";

/** A session that lives in memory and leaves nothing behind. */
export function ephemeralSession(id: string): Session {
  const messages: Message[] = [];
  let lastPrompt = 0;
  return {
    id,
    messages,
    isInterrupted: false,
    ownStep: localHost(forgetfulJournal, 0, []),
    get lastPrompt() {
      return lastPrompt;
    },
    runPrompt: (work) => work(localHost(forgetfulJournal, ++lastPrompt, []), messages),
    clear() {
      messages.length = 0;
    },
    close() {},
  };
}
