import { describe, expect, test } from "bun:test";
import { looksSecret } from "../../../packages/runtime/src/redaction/secret-pattern.ts";

const letters = (count: number): string => "aB3".repeat(count).slice(0, count);

const SECRETS: readonly (readonly [name: string, value: string])[] = [
  ["OPENAI_API_KEY", "anything"],
  ["github_token", "anything"],
  ["PGPASSWORD", "anything"],
  ["LLM_PROVIDER_CONFIG", "{}"],
  ["DATABASE", "postgres://user:pass@db.example/x"],
  ["VENDOR", "sk-short"],
  ["MAPS", `AIza${letters(35)}`],
  ["SPEECH", `hf_${letters(34)}`],
  ["EXTRA_HEADER", `authorization: ghp_${letters(36)}`],
  ["LOGIN", `eyJ${letters(20)}.eyJ${letters(20)}.${letters(20)}`],
];

const INNOCENT: readonly (readonly [name: string, value: string])[] = [
  ["PWD", "/home/user"],
  ["OLDPWD", "/home/user"],
  ["PATH", "/usr/bin:/bin"],
  ["KEYBOARD", "us"],
  ["HOMEPAGE", "https://example.com/a@b"],
  ["TASK", "ask-me about eyJ and hf_ and AIza"],
];

describe("a variable that looks like a secret:", () => {
  test.each(SECRETS)("%s=%s", (name, value) => expect(looksSecret(name, value)).toBe(true));
});

describe("one that does not:", () => {
  test.each(INNOCENT)("%s=%s", (name, value) => expect(looksSecret(name, value)).toBe(false));
});
