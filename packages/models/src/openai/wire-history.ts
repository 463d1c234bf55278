import { createHash } from "node:crypto";
import { SentHistory, type SentTurn } from "../history/sent-history.ts";
import { freeId, portableContent, shortenedId } from "../history/sent-parts.ts";
import { wellFormedJson } from "../json.ts";
import {
  imageMessages,
  type Recipient,
  sentAnswer,
  toolMessage,
  userMessage,
  type WireMessage,
} from "./wire-messages.ts";

/** A message as JSON: the same text is reused. */
export interface WireJson {
  readonly role: string;
  readonly json: string;
}

/** Characters of an id that OpenAI accepts. */
const longestId = 40;

/** The answer that is added if the model said nothing between a tool's result and the user's next words. */
const silence: WireMessage = { role: "assistant", content: "(no answer)" };

/**
 * Converts histories to what a server of this protocol accepts: every call is answered directly after the answer that
 * made it, then come the images of the results, then what the user said; no message is empty.
 */
export const wireHistory = (recipient: Recipient): SentHistory<WireJson> =>
  new SentHistory({
    takesImages: recipient.takesImages,
    content: (answer) => portableContent(answer, recipient.vendor),
    id: ({ id }, _, taken) =>
      freeId(recipient.dialect.callIds === "nine" ? nineCharacters(id) : shortenedId(id, longestId), taken),
    add: (wire, turn) => wire.push(...turnMessages(turn, recipient, wire.at(-1)?.role).map(asJson)),
  });

const asJson = (message: WireMessage): WireJson => ({ role: message.role, json: wellFormedJson(message) });

function turnMessages(turn: SentTurn, recipient: Recipient, lastRole: string | undefined): readonly WireMessage[] {
  const { dialect } = recipient;
  const answer = sentAnswer(turn, recipient) ?? [];
  const said = [answer, turn.calls.map((call) => toolMessage(call, dialect))].flat();
  const inputs = [...imageMessages(turn.calls, dialect), ...turn.inputs.map(userMessage)];
  const isAfterResult = (said.at(-1)?.role ?? lastRole) === "tool";
  const isBridged = isAfterResult && inputs.length > 0 && !dialect.userAfterResult;
  return [...said, ...(isBridged ? [silence] : []), ...inputs];
}

const nineCharacters =
  (id: string) =>
  (count: number): string =>
    count === 1 && /^[a-zA-Z0-9]{9}$/.test(id)
      ? id
      : createHash("sha256").update(`${count} ${id}`).digest("hex").slice(0, 9);
