import { expect, test } from "bun:test";
import type { CredentialGrant } from "../types/credential.ts";
import { credentialsFor, withoutKeys } from "./credentials.ts";

const grant = (host: string, more: Partial<CredentialGrant> = {}): CredentialGrant => ({
  ...{ host, variable: "EXAMPLE_KEY", header: "Authorization" },
  read: async () => ({ key: `key of ${host}`, value: `Bearer key of ${host}` }),
  ...more,
});

interface Asked extends Partial<Omit<Parameters<typeof credentialsFor>[0], "onWarning">> {}

function resultOf(asked: Asked) {
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const given = credentialsFor({ grants: [], wishes: {}, tools: [], onKey: undefined, ...asked, onWarning });
  return { given: given.map(({ host, variable, header }) => [host, variable, header]), warnings };
}

test("an agent gets the keys for the hosts that it names, and no others", () => {
  const grants = [grant("api.example.com"), grant("other.example.com"), grant("localhost:8443", { header: "X-Key" })];
  expect(
    resultOf({ grants, wishes: { "API.example.com": { env: "MY_KEY" }, "localhost:8443": { env: "K" } } }),
  ).toEqual({
    given: [
      ["api.example.com", "MY_KEY", "Authorization"],
      ["localhost:8443", "K", "X-Key"],
    ],
    warnings: [],
  });
});

test("every agent gets a key that the user grants to all", () => {
  const grants = [grant("api.example.com", { agents: "all" }), grant("other.example.com", { agents: "wishing" })];
  expect(resultOf({ grants }).given).toStrictEqual([["api.example.com", "EXAMPLE_KEY", "Authorization"]]);
});

test("a wish cannot send the key of one host to another, or in another header or format", () => {
  const wishes = {
    "evil.example": { env: "EXAMPLE_KEY" },
    "api.example.com.evil.example": { env: "EXAMPLE_KEY" },
    "api.example.com:444": { env: "EXAMPLE_KEY" },
    "api.example.com": { env: "PATH", header: "X-Debug", format: "{}" },
  };
  expect(resultOf({ grants: [grant("api.example.com")], wishes })).toEqual({
    given: [["api.example.com", "PATH", "Authorization"]],
    warnings: [
      ...["evil.example", "api.example.com.evil.example", "api.example.com:444"].map(
        (host) =>
          `the agent wishes for a key for ${host}, which \`credentials\` in your settings.yaml does not name: EXAMPLE_KEY is not set`,
      ),
      "the agent wishes for the key for api.example.com in X-Debug; your settings send it in Authorization",
    ],
  });
});

test("a tool that names the variable of a key, without the wish for it, is reported", () => {
  const tools = [{ name: "greedy", environment: ["EXAMPLE_KEY"] }];
  const grants = [grant("api.example.com")];
  expect(resultOf({ grants, tools }).warnings).toStrictEqual([
    "the tool greedy does not get EXAMPLE_KEY, your key for api.example.com: the frontmatter does not name api.example.com in `credentials`",
  ]);
  expect(resultOf({ grants, tools, wishes: { "api.example.com": { env: "EXAMPLE_KEY" } } }).warnings).toStrictEqual([]);
});

test("no tool sees the variable of a key, and a key is reported before it is used", async () => {
  expect(withoutKeys({ EXAMPLE_KEY: "x", OTHER: "y" }, [grant("api.example.com")])).toStrictEqual({ OTHER: "y" });
  const keys: string[] = [];
  const [given] = credentialsFor({
    ...{ grants: [grant("a.example.com", { agents: "all" })], wishes: {}, tools: [] },
    ...{ onWarning: () => {}, onKey: (key: string) => void keys.push(key) },
  });
  await given?.read();
  expect(keys).toStrictEqual(["key of a.example.com"]);
});
