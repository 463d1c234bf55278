import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";

export interface ReplyCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** One answer of the script model, as a line of its file; see packages/models. */
export interface Reply {
  readonly text?: string;
  readonly deltas?: readonly string[];
  readonly thinking?: string;
  readonly calls?: readonly ReplyCall[];
  readonly stopReason?: string;
  /** Milliseconds before the first delta, and between deltas. */
  readonly delay?: number;
  readonly deltaDelay?: number;
  readonly usage?: Readonly<Record<string, number>>;
  readonly error?: {
    readonly message: string;
    readonly status?: number;
    readonly kind?: string;
    readonly isTransient?: boolean;
    readonly retryAfter?: number;
    readonly adapted?: string;
    readonly after?: number;
  };
}

/** A call of a tool in a reply. */
export const call = (name: string, args: JsonObject = {}, id = "c1"): ReplyCall => ({ id, name, arguments: args });

/** A failure that may pass. */
export const overloaded: Reply = { error: { message: "overloaded", status: 529 } };

/** Writes replies as a script file into a folder and gives the model's reference. */
export function scriptReference(directory: string, replies: readonly Reply[]): string {
  const path = join(directory, `script-${crypto.randomUUID()}.jsonl`);
  writeFileSync(path, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(""));
  return `script:${path}`;
}
