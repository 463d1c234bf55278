import { addCost, type Cost, STEPS } from "@mdx-ai/loop";
import { sessionStep } from "../hosts/journaled-steps.ts";
import { forgetfulJournal, type Journal, type JournalLine, resultLine } from "../journal/journal.ts";
import { hasModeNote, type OpenedSession } from "./session.ts";
import { NO_CHOICES } from "./skill-choices.ts";
import { newTranscript, readTranscript, type Transcript } from "./transcript.ts";

/** A session that lives in memory and writes no file. */
export const ephemeralSession = (id: string): OpenedSession =>
  sessionInMemory({ id, key: crypto.randomUUID(), journal: forgetfulJournal }, newTranscript());

/** A session whose lines are kept elsewhere. */
export interface LineSession {
  readonly id: string;
  /** Unique: an earlier or later session with the same id has another key. */
  readonly key: string;
  /** All lines so far. A prompt without an end is left out of the transcript, and not resumed. */
  readonly lines: readonly JournalLine[];
  /** Receives new lines. */
  readonly journal: Journal;
}

/** Opens a session from its lines. Writes no file. */
export function lineSession({ lines, ...session }: LineSession): OpenedSession {
  const transcript = readTranscript(lines);
  return sessionInMemory(session, transcript);
}

function sessionInMemory(
  { id, key, journal }: Omit<LineSession, "lines">,
  { conversation, promptIds, own, highest, ...before }: Transcript,
): OpenedSession {
  let { lastPrompt, cost, modeNote }: { lastPrompt: number; cost: Cost; modeNote: string | undefined } = before;
  let { agentParts } = before;
  let { agent: agents } = highest;
  let skills = NO_CHOICES;
  let ownStep = sessionStep(journal, own);
  return {
    id,
    key,
    messages: conversation.messages,
    conversation,
    interrupted: undefined,
    queued: [],
    pending: [],
    isUntrusted: false,
    promptIds,
    rewinds: highest.head,
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
    async runPrompt(work, { id, modeNote: note, agentParts: parts } = {}) {
      if (id !== undefined) promptIds.add(id);
      if (parts !== undefined && !Bun.deepEquals(parts, agentParts)) {
        agentParts = parts;
        journal.append(resultLine(0, STEPS.agent.name(++agents), parts));
      }
      const before = conversation.messages.length;
      const result = await work({ journal, prompt: ++lastPrompt, journaled: [], conversation });
      if (note !== undefined && hasModeNote(note, conversation.messages.slice(before))) modeNote = note;
      return result;
    },
    closeInterrupted: async () => false,
    enqueue: async () => 0,
    dequeue: async () => {},
    clear() {
      conversation.messages.length = 0;
      conversation.compaction = undefined;
      cost = before.cost;
      modeNote = undefined;
      ownStep = sessionStep(journal, []);
    },
    close() {},
  };
}
