import { describe, expect, test } from "bun:test";
import { assistantMessage } from "../../../../test/support/model-request.ts";
import { passages } from "./passages.ts";

describe("an answer that broke off", () => {
  test.each([
    ["says why", { stopReason: "error", errorMessage: "overloaded" }, "error: overloaded"],
    ["says a reason that tells nothing more once", { stopReason: "aborted", errorMessage: "aborted" }, "aborted"],
    ["says that it was too long", { stopReason: "length" }, "length"],
  ] as const)("%s", (_, end, told) => {
    const [passage] = passages([assistantMessage([{ type: "text", text: "half" }], end)]);
    expect(passage?.parts).toStrictEqual([
      { type: "text", text: "half" },
      { type: "failure", text: told },
    ]);
  });
});
