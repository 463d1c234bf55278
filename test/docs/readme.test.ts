import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { codeBlocks, codeSpans } from "../support/markdown-text.ts";

const ROOT = join(import.meta.dir, "../..");
const pageOf = (path: string): Promise<string> => Bun.file(join(ROOT, path)).text();
const readme = await pageOf("README.md");

describe("the README", () => {
  test("shows an agent of about fifteen lines, and runs it", () => {
    const [agent = ""] = codeBlocks(readme, "mdx");
    expect(agent.split("\n").filter((line) => line.trim() !== "").length).toBeGreaterThan(8);
    expect(agent.split("\n").length).toBeLessThanOrEqual(18);
    expect(
      codeBlocks(readme, "sh")
        .join("")
        .match(/^mdx-ai /gm)?.length,
    ).toBeGreaterThanOrEqual(4);
  });

  test("names npm scripts that there are", async () => {
    const manifest: unknown = await Bun.file(join(ROOT, "package.json")).json();
    const named = [...readme.matchAll(/^npm (start|test)\b/gm)].map(([, name = ""]) => name);
    expect(named).toEqual(["start", "test"]);
    for (const name of named) expect(manifest).toHaveProperty(["scripts", name]);
  });

  test("names examples that there are", () => {
    for (const path of codeSpans(readme).filter((text) => text.startsWith("examples/"))) {
      expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    }
  });
});

test("the list of pages has every page of the documentation", async () => {
  const list = await pageOf("docs/README.md");
  const pages = [...new Bun.Glob("**/*.md").scanSync(join(ROOT, "docs"))].filter(
    (page) => basename(page) !== "README.md",
  );
  expect(pages.filter((page) => !list.includes(`](${page})`))).toEqual([]);
});

test("the documentation has at most 45,000 words", async () => {
  const paths = [...new Bun.Glob("docs/**/*.md").scanSync(ROOT)];
  const texts = await Promise.all(paths.map(pageOf));
  // The bars and rules of tables are no words, and readers see no comments.
  const words = texts.flatMap((text) => text.replace(/<!--.*?-->/gs, "").match(/\S*[\p{L}\p{N}]\S*/gu) ?? []);
  expect(paths.length).toBeGreaterThan(40);
  expect(words.length).toBeLessThanOrEqual(45_000);
});
