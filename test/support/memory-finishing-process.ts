/** Finishes the thread "talk" of a folder again and again, as a process does that another one left something to: `FOLDER`. */
import { PendingMessages } from "../../packages/memory/src/observing/pending-messages.ts";

const [folder = ""] = process.argv.slice(2);
const pending = new PendingMessages(folder);
console.log("ready");
for (;;) {
  pending.first("talk")?.remove();
  pending.finish("talk");
}
