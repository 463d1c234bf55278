import type { Message } from "@mdx-ai/models";
import { type Measure, messageSize } from "./message-size.ts";

/** How much of the newest messages stays as it is. All in tokens. */
export interface TailBounds {
  /** Where a compaction before ended: nothing before this place is sent. */
  readonly from: number;
  /** What the tail may have. */
  readonly room: number;
  /** What the last turn may have, so that a model gets to see the results that it asked for. */
  readonly lastTurnRoom: number;
}

/**
 * The place up to which messages are replaced; `from` where all can stay. The tail begins at a message of the user or
 * of the model, so that no call is parted from its results. Where even the last turn is too large, nothing stays.
 */
export function replacedPart(messages: readonly Message[], bounds: TailBounds, measure: Measure): number {
  const { from, room, lastTurnRoom } = bounds;
  let size = 0;
  let start = messages.length;
  for (let place = messages.length - 1; place >= from; place--) {
    const message = messages[place];
    if (message === undefined) break;
    size += messageSize(message, measure);
    if (size > (start === messages.length ? Math.max(room, lastTurnRoom) : room)) break;
    if (message.role !== "toolResult") start = place;
  }
  return start;
}
