import { jsonValue } from "@mdx-ai/base";
import { problemText, type Schema, unlocated, validate } from "@mdx-ai/base/schema";
import { ProblemError } from "./problem.ts";

/** How long a client may take to send a body, in milliseconds. */
const BODY_TIME = 30_000;

/** The largest body in bytes. */
const MAX_BYTES = 1_048_576;

/** The largest body with images, in bytes. */
export const MAX_IMAGE_BYTES = 33_554_432;

/** Reads the JSON of a body and checks it. An empty body is `{}`. Rejects with `ProblemError`. */
export async function readBody<T>(request: Request, schema: Schema<T>, maximum: number = MAX_BYTES): Promise<T> {
  const text = await readText(request, maximum);
  return checkedBody(text.trim() === "" ? {} : jsonOf(text, request), schema);
}

/** Checks the JSON of a body. Throws `ProblemError`. */
export function checkedBody<T>(json: unknown, schema: Schema<T>): T {
  const { value, problems } = validate(schema, unlocated(json), { noun: "member", hasIndexes: true });
  if (value !== undefined && problems.length === 0) return value;
  const errors = problems.map(problemText);
  throw new ProblemError({ status: 422, code: "wrong_body", detail: errors[0] ?? "the body does not match", errors });
}

function jsonOf(text: string, { headers }: Request): unknown {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(headers.get("content-type") ?? "")) {
    throw new ProblemError({ status: 415, code: "no_json", detail: "the body needs the type application/json" });
  }
  const json = jsonValue(text);
  if (json !== undefined) return json;
  throw new ProblemError({ status: 400, code: "no_json", detail: "the body is not valid JSON" });
}

async function readText({ headers, body }: Request, maximum: number): Promise<string> {
  if (Number(headers.get("content-length") ?? 0) > maximum) throw tooLarge(maximum);
  if (body === null) return "";
  const late = AbortSignal.timeout(BODY_TIME);
  const reader = body.getReader();
  const stop = (): void => void reader.cancel().catch(() => {});
  late.addEventListener("abort", stop, { once: true });
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (late.aborted) throw new ProblemError({ status: 408, code: "slow_body", detail: "the body took too long" });
    if (done) break;
    size += value.length;
    if (size > maximum) {
      stop();
      throw tooLarge(maximum);
    }
    text += decoder.decode(value, { stream: true });
  }
  late.removeEventListener("abort", stop);
  return text + decoder.decode();
}

const tooLarge = (maximum: number): ProblemError =>
  new ProblemError({ status: 413, code: "large_body", detail: `the body has more than ${maximum} bytes` });
