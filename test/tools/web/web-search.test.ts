import { expect, test } from "bun:test";
import { builtinTools, executeTool } from "@mdx-ai/tools";
import { textOf, toolContext } from "../../support/tool-context.ts";

const SEARXNG = {
  query: "bun",
  results: [
    { title: "Bun", url: "https://bun.sh/", content: "A  <b>fast</b>\nruntime", engine: "x" },
    { title: "No text", url: "https://example.com/?a=1&b=2" },
  ],
};
const BRAVE = {
  type: "search",
  web: { results: [{ title: "<strong>Bun</strong>", url: "https://bun.sh/", description: "1 < 2" }] },
};

/** The result of a search at a real server, and the request that arrived. */
async function searched(answer: (request: Request) => Response, path = "/search?format=json") {
  const seen: (string | null)[] = [];
  await using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      seen.push(new URL(request.url).search, request.headers.get("x-key"));
      return answer(request);
    },
  });
  const webSearch = { url: `http://127.0.0.1:${server.port}${path}`, headers: { "X-Key": "key ${SEARCH_KEY}" } };
  const [tool] = builtinTools({ environment: { SEARCH_KEY: "k" }, webSearch }, ["web_search"]);
  if (tool === undefined) throw new Error("no tool");
  expect(tool.access).toBeUndefined();
  const result = await executeTool(tool, { q: "bun & co" }, toolContext("/"));
  return { text: textOf(result), isError: result.isError, seen };
}

test.each<[string, unknown, string]>([
  ["SearXNG", SEARXNG, "1. Bun\nhttps://bun.sh/\nA fast runtime\n\n2. No text\nhttps://example.com/?a=1&b=2"],
  ["Brave", BRAVE, "1. Bun\nhttps://bun.sh/\n1 < 2"],
  ["SearXNG without results", { results: [] }, "[no results]"],
  ["Brave without results", { type: "search", mixed: {} }, "[no results]"],
])("web_search reads the answer of %s", async (_name, answer, text) => {
  const result = await searched(() => Response.json(answer));
  expect(result).toStrictEqual({ text, isError: false, seen: ["?format=json&q=bun+%26+co", "key k"] });
});

test.each<[string, () => Response, string]>([
  [
    "an unknown form",
    () => Response.json({ hits: [] }),
    "the search answered in an unknown form: not the JSON of SearXNG or Brave",
  ],
  ["a page", () => new Response("<p>x"), "the search answered in an unknown form: not the JSON of SearXNG or Brave"],
  ["a wrong key", () => new Response("no such key", { status: 401 }), "the search answered 401: no such key"],
  ["a redirect", () => Response.redirect("http://127.0.0.1:1/"), "the search redirects, which is not followed"],
])("web_search fails for %s", async (_name, answer, text) => {
  expect(await searched(answer)).toMatchObject({ text, isError: true });
});

test("web_search is not offered without an endpoint, and names a missing variable", async () => {
  expect(builtinTools({ environment: {} }, ["web_search"])).toStrictEqual([]);
  const webSearch = { url: "http://127.0.0.1:1/", headers: { a: "${NO_KEY}" } };
  const [tool] = builtinTools({ environment: {}, webSearch }, ["web_search"]);
  const result = tool && (await executeTool(tool, { query: "x" }, toolContext("/")));
  expect(result && textOf(result)).toBe(
    "the variable NO_KEY, which `web_search` of the user's settings names, is not set",
  );
});
