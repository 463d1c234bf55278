import { describe, expect, test } from "bun:test";
import { inspect } from "node:util";
import { ModelError, openModel } from "@mdx-ai/models";
import { failureReply } from "../../support/anthropic-replies.ts";
import { anthropicServer, streamBytes } from "../../support/anthropic-server.ts";
import { endOf, eventsOf } from "../../support/model-request.ts";

const key = "sk-ant-api03-Very/Secret+Key_123==";
const json = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream" };
const error = (type: string, message: string): string => JSON.stringify({ type: "error", error: { type, message } });

/** Each server quotes the key that it is asked with, each in another place. */
const echoes: readonly { readonly where: string; readonly answer: () => Response }[] = [
  { where: "an error's text", answer: () => new Response(error("e", `no ${key}`), { status: 401, headers: json }) },
  { where: "an error's kind", answer: () => new Response(error(key, "no"), { status: 400, headers: json }) },
  { where: "a header of an error", answer: () => new Response("", { status: 500, headers: { "x-key": key } }) },
  {
    where: "the wait of an error",
    answer: () => new Response("", { status: 429, headers: { "retry-after": `5 ${key}` } }),
  },
  { where: "an error's other fields", answer: () => new Response(`{"you":"${key}"}`, { status: 403, headers: json }) },
  {
    where: "the title of a web page",
    answer: () => new Response(`<html><title>${key} is unknown</title>`, { status: 502 }),
  },
  { where: "an error that is no JSON", answer: () => new Response(`<b>${key}</b>`, { status: 502 }) },
  {
    where: "an overflow",
    answer: () => new Response(error("e", `prompt is too long, ${key}`), { status: 400, headers: json }),
  },
  {
    where: "an error in mid-stream",
    answer: () =>
      new Response(streamBytes([{ type: "error", error: { type: key, message: key } }]), { headers: events }),
  },
  { where: "an event that is no JSON", answer: () => new Response(`data: ${key}\n\n`, { headers: events }) },
  { where: "a document that is not a message", answer: () => new Response(`{"${key}":"${key}"}`, { headers: json }) },
  { where: "a document that is no JSON", answer: () => new Response(key, { headers: json }) },
  { where: "the content type", answer: () => new Response("Hello", { headers: { "content-type": `text/${key}` } }) },
  {
    where: "a redirection",
    answer: () => new Response(key, { status: 302, headers: { location: `http://127.0.0.1:1/${key}` } }),
  },
];

describe("the key never reaches what an answer ends with", () => {
  test.each(echoes)("where the server quotes it in $where", async ({ answer }) => {
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
    const environment = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url.href };
    const end = endOf(await eventsOf(await openModel("claude-test", { environment })));
    const shown = [JSON.stringify(end), inspect(end, { depth: 20, showHidden: true }), stacksOf(end)].join("\n");
    for (const part of [key, key.slice(0, 20), key.slice(10), encodeURIComponent(key)])
      expect(shown).not.toContain(part);
  });

  test("nor a part of it, at the position where a long text is cut", async () => {
    using server = anthropicServer();
    const model = await openModel("claude-test", { environment: { ...server.environment, ANTHROPIC_API_KEY: key } });
    for (let length = 450; length <= 500; length++) {
      server.add(failureReply(400, "invalid", { message: `${"-".repeat(length)}${key}` }));
      expect(inspect(endOf(await eventsOf(model)))).not.toContain("sk-ant");
    }
  });

  test("and the text around it is kept", async () => {
    using server = anthropicServer(
      failureReply(401, "authentication_error", { message: "sk-ant-test-key is unknown" }),
    );
    const end = endOf(await eventsOf(await openModel("claude-test", { environment: server.environment })));
    expect(end.message.errorMessage).toContain("[key] is unknown");
  });
});

/** The stacks of an error and of all that it was caused by. */
function stacksOf(end: ReturnType<typeof endOf>): string {
  const stacks: string[] = [];
  for (let error: unknown = end.type === "error" && end.error; error instanceof Error; error = error.cause) {
    stacks.push(`${error.stack} ${Object.values(error).map(String)}`);
    expect(error).toBeInstanceOf(ModelError);
  }
  return stacks.join("\n");
}
