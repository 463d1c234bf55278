import { expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { askAdapting } from "../../support/adapting-model.ts";
import { endOf, eventsOf } from "../../support/model-request.ts";

/** A server that answers each path in a way of its own. */
function server(fetch: (path: string) => Response) {
  const paths: string[] = [];
  const serving = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      paths.push(pathname);
      return fetch(pathname);
    },
  });
  const open = (base = "", reference = "openai/m") =>
    openModel(reference, { environment: {}, apiKey: "sk-secret-key-0123456789", baseUrl: serving.url.origin + base });
  return { paths, open, origin: serving.url.origin, [Symbol.dispose]: () => void serving.stop(true) };
}

const answer = () => Response.json({ choices: [{ message: { content: "Done." }, finish_reason: "stop" }] });

test.each([
  ["a path that is not there", () => new Response("404 page not found", { status: 404 })],
  ["a method that is not allowed", () => Response.json({ detail: "Method Not Allowed" }, { status: 405 })],
  ["a redirection", () => new Response(null, { status: 302, headers: { location: "/login" } })],
  ["a web page as a refusal", () => new Response("<html><title>Sign in</title></html>", { status: 403 })],
  ["a web page as an answer", () => new Response("<html></html>", { headers: { "content-type": "text/html" } })],
])("%s is shown with the address that was asked, without its query and its user", async (_, response) => {
  using one = server(() => response());
  const model = await one.open("/v1?token=hidden");
  const { errorMessage = "" } = endOf(await eventsOf(model)).message;
  expect(errorMessage).toContain(`${one.origin}/v1/chat/completions`);
  expect(errorMessage).not.toContain("hidden");
});

test.each([
  ["FastAPI", () => Response.json({ detail: "Not Found" }, { status: 404 })],
  ["Go", () => new Response("404 page not found", { status: 404 })],
  ["Express", () => new Response("<html><pre>Cannot POST /chat/completions</pre></html>", { status: 404 })],
  ["a server without POST there", () => new Response("", { status: 405 })],
  ["LM Studio", () => Response.json({ error: "Unexpected endpoint or method. (POST /chat/completions)" })],
])(
  "an address without /v1 is asked below it where a server has nothing at its top, as %s says",
  async (_, response) => {
    using one = server((path) => (path === "/v1/chat/completions" ? answer() : response()));
    const model = await one.open();
    const { changes, answer: message } = await askAdapting(model);
    expect([message.stopReason, changes]).toEqual(["stop", [expect.stringContaining("below /v1 from now on")]]);
    await askAdapting(model);
    expect(one.paths).toEqual(["/chat/completions", "/v1/chat/completions", "/v1/chat/completions"]);
  },
);

test("an address that has nothing below /v1 either is asked as it was written", async () => {
  using one = server(() => new Response("404 page not found", { status: 404 }));
  const model = await one.open("/gateway");
  const first = await askAdapting(model);
  expect([first.changes.length, first.answer.failure?.isTransient]).toEqual([1, false]);
  expect((await askAdapting(model)).changes).toEqual([]);
  expect(one.paths).toEqual(["/gateway/chat/completions", "/gateway/v1/chat/completions", "/gateway/chat/completions"]);
});

test.each([
  ["a model that is not there", "", { error: { message: "The model `m` does not exist", code: "model_not_found" } }],
  ["a path with a version", "/api/v3", { detail: "Not Found" }],
])("%s leaves the address as it is", async (_, base, body) => {
  using one = server(() => Response.json(body, { status: 404 }));
  const { changes } = await askAdapting(await one.open(base));
  expect([changes, one.paths.length]).toEqual([[], 1]);
});
