import { ModelError } from "../errors.ts";
import type { Block } from "../message-block.ts";
import type { MessageBuilder } from "../message-builder.ts";
import type { ScriptCall, ScriptError, ScriptReply } from "./script-reply.ts";

/** The target of a reply. */
export interface Stage {
  readonly builder: MessageBuilder;
  readonly signal: AbortSignal;
  /** The reply's position in the script, from 1. */
  readonly number: number;
}

/** A block with the pieces in which it arrives. */
interface ScriptBlock {
  readonly deltas: readonly string[];
  open(builder: MessageBuilder): Block;
}

/**
 * Plays a reply into a message builder and yields after each piece. Throws the reply's error as a `ModelError`, and the signal's reason
 * when it fires.
 */
export async function* playReply(reply: ScriptReply, stage: Stage): AsyncGenerator<void> {
  const { builder, signal, number } = stage;
  await abortableDelay(reply.delay ?? 0, signal);
  failWhenDue(reply.error, undefined);
  builder.start();
  builder.count(reply.usage ?? {});
  let arrived = 0;
  for (const { open, deltas } of scriptBlocks(reply, number)) {
    const block = open(builder);
    for (const delta of deltas) {
      failWhenDue(reply.error, arrived);
      if (arrived++ > 0) await abortableDelay(reply.deltaDelay ?? 0, signal);
      builder.append(block, delta);
      yield;
    }
    builder.close(block);
  }
  failWhenDue(reply.error, Number.POSITIVE_INFINITY);
  builder.finish(reply.stopReason ?? (reply.calls?.length ? "toolUse" : "stop"));
  yield;
}

/** Throws a reply's error once this many deltas have arrived; `undefined`: before the answer starts. */
function failWhenDue(error: ScriptError | undefined, arrived: number | undefined): void {
  if (error === undefined) return;
  const { message, after, ...details } = error;
  const due = after === undefined ? arrived === undefined : arrived !== undefined && arrived >= after;
  if (due) throw new ModelError(message, details);
}

function scriptBlocks(reply: ScriptReply, number: number): readonly ScriptBlock[] {
  const { thinking, text, calls = [] } = reply;
  const deltas = reply.deltas ?? (text === undefined ? undefined : [text]);
  return [
    ...(thinking === undefined ? [] : [{ deltas: [thinking], open: (to: MessageBuilder) => to.openThinking() }]),
    ...(deltas === undefined ? [] : [{ deltas, open: (to: MessageBuilder) => to.openText() }]),
    ...calls.map((call, index) => callBlock(call, `script-${number}-${index + 1}`)),
  ];
}

function callBlock(call: ScriptCall, defaultId: string): ScriptBlock {
  const { id = defaultId, name, arguments: given = {} } = call;
  const json = typeof given === "string" ? given : JSON.stringify(given);
  return { deltas: [json], open: (to) => to.openToolCall({ id, name }) };
}

/** Waits this many milliseconds; rejects with the signal's reason when it fires. */
function abortableDelay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}
