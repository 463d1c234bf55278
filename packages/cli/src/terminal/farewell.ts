import { capitalized } from "@mdx-ai/directory/text";
import { counted } from "../output/figures.ts";
import { drawable } from "../output/line-layout.ts";
import type { Theme } from "../output/theme.ts";
import type { Dialogue } from "./dialogue.ts";
import type { SessionOptions } from "./session-options.ts";

export interface FarewellOptions {
  readonly options: Pick<SessionOptions, "agent" | "dataDir" | "wayBack">;
  readonly dialogue: Dialogue;
  readonly theme: Theme;
  readonly append: (text: string) => void;
}

/** Milliseconds that a prompt gets to show its end when the user leaves. */
const FAREWELL = 500;

/**
 * Closes the agent: a prompt that was stopped shows its end, and running and queued prompts are kept. Says what is kept, and how
 * to come back.
 */
export async function sayFarewell({ options, dialogue, theme, append }: FarewellOptions): Promise<void> {
  const { queue, isInterruptible } = dialogue;
  dialogue.end();
  await Promise.race([options.agent.close(), Bun.sleep(FAREWELL)]);
  const running = isInterruptible ? ["the running prompt"] : [];
  const waiting = queue.length === 0 ? [] : [`${counted(queue.length, "prompt")} of the queue`];
  const kept = [...running, ...waiting].join(" and ");
  if (options.dataDir === undefined) return;
  if (kept !== "") {
    const verb = running.length + queue.length === 1 ? "is" : "are";
    append(theme.warning(capitalized(`${kept} ${verb} kept and finished before the next one`)));
  }
  const wayBack = options.wayBack(dialogue.session);
  if (wayBack !== undefined) append(theme.dim(drawable(wayBack)));
}
