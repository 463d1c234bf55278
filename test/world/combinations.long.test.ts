import { expect, test } from "bun:test";
import { type AssistantMessage, openModel } from "@mdx-ai/models";
import fc from "fast-check";
import { endOf, eventsOf, modelRequest, toolSchema } from "../support/model-request.ts";
import { randomCases } from "../support/random-cases.ts";
import { type Wire, wires } from "../support/wire-server.ts";
import { playedServer } from "./played-server.ts";
import { type Manner, type Meaning, manner, meaning, playedAnswer } from "./random-answer.ts";

const CASES = randomCases(100);

const MODELS: Readonly<Record<Wire, string>> = {
  openai: "openai/m",
  anthropic: "anthropic/claude-test",
  responses: "openai/gpt-test",
};

const tools = [toolSchema("look", "Looks"), toolSchema("find", "Finds")];

/** What an answer says as it was read. */
function readMeaning({ content, stopReason, errorMessage }: AssistantMessage): object {
  const said = (type: "text" | "thinking"): string =>
    content.map((part) => (part.type === type ? Reflect.get(part, type) : "")).join("");
  const calls = content.flatMap((part) =>
    part.type === "toolCall" ? [{ name: part.name, arguments: part.malformed ?? part.arguments }] : [],
  );
  return { thinking: said("thinking"), text: said("text"), calls, stopReason, errorMessage };
}

function expectedMeaning({ thinking, text, calls, end }: Meaning): object {
  const stopReason = end === "length" ? "length" : calls.length > 0 ? "toolUse" : "stop";
  return { thinking, text, calls, stopReason, errorMessage: undefined };
}

async function read(wire: Wire, said: Meaning, how: Manner): Promise<object> {
  using server = playedServer(wire, [playedAnswer(wire, said, how)]);
  const model = await openModel(MODELS[wire], { environment: server.environment });
  return readMeaning(endOf(await eventsOf(model, modelRequest("Go", { tools }))).message);
}

test.each(wires)("%s: an answer means the same however oddly its server writes it", async (wire) => {
  await fc.assert(
    fc.asyncProperty(meaning, manner, async (said, how) => {
      expect(await read(wire, said, how)).toEqual(expectedMeaning(said));
    }),
    { ...CASES, endOnFailure: false },
  );
});
