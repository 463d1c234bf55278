import { recordOf } from "@mdx-ai/base";
import { ModelError } from "../errors.ts";
import type { Connection } from "../vendors/connection.ts";
import { streamFailure } from "./failures.ts";
import { shownAddress } from "./shown-text.ts";
import { documentProblem, type StatedProblem } from "./stated-problem.ts";

/** Codes of servers that state a success in the place of a problem. */
const FINE: readonly unknown[] = [0, 200, "0", "200", "success", "ok"];

/** What an object without an answer and without an `error` says is wrong; undefined if it says nothing. */
export function problemInPlace(body: unknown): StatedProblem | undefined {
  const { code, success, base_resp: status } = recordOf(body);
  const problem = documentProblem(body);
  const isSaid = typeof problem.message === "string" || Array.isArray(problem.message);
  const isFine = success === true || FINE.includes(code) || FINE.includes(recordOf(status)["status_code"]);
  return isSaid && !isFine ? problem : undefined;
}

/** The failure of a document that is no answer: its words if it has any, and where it was asked. */
export function missingAnswer(document: unknown, { vendor, host, url, urlName }: Connection): ModelError {
  const problem = problemInPlace(document);
  if (problem === undefined) return new ModelError(`${host} sent no answer. Is ${urlName} right?`);
  const { message, failure, words } = streamFailure(problem, vendor);
  const asked = `${message.replace(/\.$/, "")}. It was asked at ${shownAddress(url)}`;
  return new ModelError(asked, { ...failure, ...(words && { words }) });
}
