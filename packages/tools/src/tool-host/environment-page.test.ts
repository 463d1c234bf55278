import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { codeSpans } from "../../../../test/support/markdown-text.ts";
import { vendors } from "../../../models/src/vendors/vendors.ts";
import { TOOL_CHANNEL } from "./message-channel.ts";

const ROOT = join(import.meta.dir, "../../../..");
const named = codeSpans(await Bun.file(join(ROOT, "docs/reference/environment.md")).text());

/** How sources read a variable by its name: from an environment, by a function that takes one, or as a name of its own kind. */
const READ =
  /\b(?:environment|process\.env|Bun\.env)\["(\w+)"\]|nvironment, "([A-Z_]+)"|"((?:OTEL|XDG|LLM|TRACE)[A-Z_]+)"/g;

async function namesInSources(): Promise<readonly string[]> {
  const files = [...new Bun.Glob("packages/*/src/**/*.ts").scanSync(ROOT)].filter((file) => !file.endsWith(".test.ts"));
  const sources = await Promise.all(files.map((file) => Bun.file(join(ROOT, file)).text()));
  const found = sources.flatMap((source) =>
    [...source.matchAll(READ)].map(([, one, two, three]) => one ?? two ?? three ?? ""),
  );
  const ofVendors = vendors.flatMap(({ keyVariables, urlVariable }) => [...keyVariables, urlVariable]);
  // Between processes of the program itself.
  return [...new Set([...found, ...ofVendors])].filter((name) => name !== TOOL_CHANNEL).sort();
}

describe("the page about environment variables", () => {
  test("names every variable that the sources read", async () => {
    const names = await namesInSources();
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !named.includes(name))).toEqual([]);
  });

  test("names no variable that no source knows", async () => {
    const names = await namesInSources();
    const sources = await Promise.all(
      [...new Bun.Glob("packages/*/src/**/*.ts").scanSync(ROOT)]
        .filter((file) => !file.endsWith(".test.ts"))
        .map((file) => Bun.file(join(ROOT, file)).text()),
    );
    const text = sources.join("\n");
    const variables = named.filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name) && !names.includes(name));
    // Names of OTLP are put together of parts.
    const known = (name: string): boolean =>
      new RegExp(`\\b${name}\\b`).test(text) ||
      (name.startsWith("OTEL_EXPORTER_OTLP_") && text.includes(`"${name.split("_").at(-1)}"`));
    expect(variables.filter((name) => !known(name))).toEqual([]);
  });
});
