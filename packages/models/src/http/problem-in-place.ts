import { recordOf } from "@mdx-ai/base";
import { documentProblem, type StatedProblem } from "./stated-problem.ts";

/** Codes of servers that report a success in an error field. */
const FINE: readonly unknown[] = [0, 200, "0", "200", "success", "ok"];

/** The problem in an object without an answer and without `error`; undefined if there is none. */
export function problemInPlace(body: unknown): StatedProblem | undefined {
  const { code, success, base_resp: status } = recordOf(body);
  const problem = documentProblem(body);
  const isSaid = typeof problem.message === "string" || Array.isArray(problem.message);
  const isFine = success === true || FINE.includes(code) || FINE.includes(recordOf(status)["status_code"]);
  return isSaid && !isFine ? problem : undefined;
}
