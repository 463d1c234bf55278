import { describe, expect, test } from "bun:test";
import { type LanguageModel, MissingKeyError, ModelError, openModel } from "@mdx-ai/models";
import { eventsOf } from "../../support/model-request.ts";

/** What a server of a vendor is asked when a model is opened with what this gives for the server's address. */
async function asked(open: (address: string) => Promise<LanguageModel>): Promise<readonly [string, string | null]> {
  const seen: [string, string | null][] = [];
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      seen.push([pathname + search, request.headers.get("authorization")]);
      return Response.json({ error: { message: "no" } }, { status: 400 });
    },
  });
  await eventsOf(await open(server.url.origin));
  const [first] = seen;
  if (first === undefined) throw new Error("the server was not asked");
  return first;
}

const nobody = "http://127.0.0.1:1";

describe("a connection", () => {
  test("takes its key from the first variable that is set, without white space", async () => {
    const open = (keys: object) => (url: string) =>
      openModel("gemini/m", { environment: { ...keys, GEMINI_BASE_URL: url } });
    expect(await asked(open({ GOOGLE_API_KEY: " k-2\n" }))).toEqual(["/chat/completions", "Bearer k-2"]);
    expect(await asked(open({ GEMINI_API_KEY: "k-1", GOOGLE_API_KEY: "k-2" }))).toEqual([
      "/chat/completions",
      "Bearer k-1",
    ]);
  });

  test("follows the settings above the environment", async () => {
    const environment = { OPENAI_API_KEY: "k-1", OPENAI_BASE_URL: nobody };
    const open = (baseUrl: string) =>
      openModel("openai/m", { environment, apiKey: " k-3 ", baseUrl: `${baseUrl}/v1/` });
    expect(await asked(open)).toEqual(["/v1/chat/completions", "Bearer k-3"]);
  });

  test.each([
    ["", "/v1/chat/completions"],
    ["///", "/v1/chat/completions"],
    ["/ollama", "/ollama/chat/completions"],
    ["/v1/", "/v1/chat/completions"],
    ["/v1?x=1", "/v1/chat/completions?x=1"],
    ["/v1/?api-version=3#there", "/v1/chat/completions?api-version=3"],
    ["/a%2Fb", "/a%2Fb/chat/completions"],
  ])("to an address that ends in %j asks for %s", async (end, path) => {
    const open = (url: string) => openModel("ollama/m", { environment: { OLLAMA_BASE_URL: url + end } });
    expect(await asked(open)).toEqual([path, null]);
  });

  test("needs a key, but for vendors that ask for none", async () => {
    expect(openModel("openai/m", { environment: { OPENAI_API_KEY: " " } })).rejects.toThrow(MissingKeyError);
    expect((await openModel("ollama/m", { environment: {} })).name).toBe("m");
  });

  test("says who asks a server of their own without a key that any word may do", () => {
    const hint = "any value works for a server that needs none";
    expect(openModel("openai/m", { environment: {}, baseUrl: nobody })).rejects.toThrow(hint);
    expect(openModel("openai/m", { environment: {} })).rejects.not.toThrow(hint);
    expect(openModel("azure/m", { environment: {}, baseUrl: nobody })).rejects.not.toThrow(hint);
  });

  test.each(["a b", "schlüssel", "k\u0000"])(
    "takes no key that a header could not carry, and hides it: %j",
    (apiKey) => {
      expect(openModel("openai/m", { environment: {}, apiKey })).rejects.toThrow(MissingKeyError);
      expect(openModel("openai/m", { environment: {}, apiKey })).rejects.not.toThrow(apiKey);
    },
  );

  test.each(["nonsense", "ftp://host", "file:///etc", "//host"])(
    "takes no address such as %s, and says its name",
    (url) => {
      const key = { OPENAI_API_KEY: "k" };
      expect(openModel("openai/m", { environment: key, baseUrl: url })).rejects.toThrow("base_url is not an http");
      const environment = { ...key, OPENAI_BASE_URL: url };
      expect(openModel("openai/m", { environment })).rejects.toThrow("OPENAI_BASE_URL is not an http");
    },
  );

  test("needs an address where every user has another", () => {
    expect(openModel("azure/m", { environment: { AZURE_OPENAI_API_KEY: "k" } })).rejects.toThrow(ModelError);
  });
});
