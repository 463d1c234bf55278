import { listOf, recordOf, type UnknownRecord } from "@mdx-ai/base";
import { RefusedMarks } from "../history/refused-marks.ts";

/** Google's documented signature for calls without a usable one, such as another model's. */
export const NO_SIGNATURE = "skip_thought_signature_validator";

/** Words for unreadable signatures, created with another key or over another route to the model. */
const REFUSAL = /(?:invalid|corrupted) thought.?signature|thought.?signature is (?:not valid|invalid|corrupted)/i;

/** The signatures of calls, each as JSON. */
export const refusedSignatures = (): RefusedMarks =>
  new RefusedMarks({ isRefusal: ({ said }) => REFUSAL.test(said), marksIn: signaturesIn });

const signaturesIn = ({ messages }: UnknownRecord): readonly string[] =>
  listOf(messages)
    .flatMap((message) => listOf(recordOf(message)["tool_calls"]))
    .map((call) => recordOf(call)["extra_content"])
    .filter((extra) => extra !== undefined)
    .map((extra) => JSON.stringify(extra))
    .filter((signature) => !signature.includes(NO_SIGNATURE));
