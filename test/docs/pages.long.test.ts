import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { followPage, pageSteps } from "../support/page-run.ts";
import { requireProgram } from "../support/require-program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");

/** Pages that a reader follows from the first line to the last. */
const FOLLOWED = [
  "README.md",
  "docs/quickstart.md",
  "docs/tutorial.md",
  "docs/recipes.md",
  "docs/skills.md",
  "docs/reference/script-models.md",
  "docs/differences.md",
  "docs/memory.md",
  "docs/server.md",
  "docs/editors.md",
  "docs/protocols.md",
  "docs/sharing.md",
];

describe.skipIf(requireProgram("bwrap")).each(FOLLOWED)("%s", (page) => {
  test("works as it is written", async () => {
    using home = temporaryDirectory();
    await followPage(await Bun.file(join(ROOT, page)).text(), home.path);
  });

  test("shows no block that is neither run, nor written, nor named as left out", async () => {
    const steps = pageSteps(await Bun.file(join(ROOT, page)).text());
    expect(steps.filter(({ kind }) => kind === "other")).toEqual([]);
    expect(steps.length).toBeGreaterThan(2);
  });
});

const PAGES = ["README.md", ...new Bun.Glob("docs/**/*.md").scanSync(ROOT)].sort();

test.each(PAGES)("the links of %s lead to files", async (page) => {
  const text = (await Bun.file(join(ROOT, page)).text()).replace(/`[^`\n]*`/g, "");
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
});

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const headingsOf = (markdown: string): readonly string[] =>
  [...markdown.replace(/^(`{3,}).*?^\1$/gms, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

test.each(PAGES)("the links of %s to a part of a page lead to a heading", async (page) => {
  const text = await Bun.file(join(ROOT, page)).text();
  const links = [...text.matchAll(/\]\(([^)#:]*\.md|)#([^)]+)\)/g)];
  const lost = await Promise.all(
    links.map(async ([link, path = "", anchor = ""]) => {
      const target = path === "" ? text : await Bun.file(join(ROOT, dirname(page), path)).text();
      return headingsOf(target).includes(anchor) ? [] : [link];
    }),
  );
  expect(lost.flat()).toEqual([]);
});
