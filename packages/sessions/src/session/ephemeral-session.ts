import { addCost, type Conversation, noCost } from "@mdx-ai/loop";
import { sessionStep } from "../hosts/local-host.ts";
import { forgetfulJournal } from "../journal/journal.ts";
import { hasModeNote, type OpenedSession } from "./session.ts";
import { NO_CHOICES } from "./skill-choices.ts";

/** A session that lives in memory and writes no file. */
export function ephemeralSession(id: string): OpenedSession {
  const conversation: Conversation = { first: 0, messages: [], compaction: undefined };
  const promptIds = new Set<string>();
  let lastPrompt = 0;
  let skills = NO_CHOICES;
  let cost = noCost;
  let modeNote: string | undefined;
  let ownStep = sessionStep(forgetfulJournal, []);
  return {
    id,
    key: crypto.randomUUID(),
    messages: conversation.messages,
    conversation,
    interrupted: undefined,
    queued: [],
    pending: [],
    isUntrusted: false,
    promptIds,
    rewinds: 0,
    get ownStep() {
      return ownStep;
    },
    get modeNote() {
      return modeNote;
    },
    get skills() {
      return skills;
    },
    chooseSkills(choices) {
      skills = choices;
    },
    get lastPrompt() {
      return lastPrompt;
    },
    get cost() {
      return cost;
    },
    count(more) {
      cost = addCost(cost, more);
    },
    usePolicy: async () => {},
    async runPrompt(work, { id, modeNote: note } = {}) {
      if (id !== undefined) promptIds.add(id);
      const before = conversation.messages.length;
      const result = await work({ journal: forgetfulJournal, prompt: ++lastPrompt, journaled: [], conversation });
      if (note !== undefined && hasModeNote(note, conversation.messages.slice(before))) modeNote = note;
      return result;
    },
    closeInterrupted: async () => false,
    enqueue: async () => 0,
    dequeue: async () => {},
    clear() {
      conversation.messages.length = 0;
      conversation.compaction = undefined;
      cost = noCost;
      modeNote = undefined;
      ownStep = sessionStep(forgetfulJournal, []);
    },
    close() {},
  };
}
