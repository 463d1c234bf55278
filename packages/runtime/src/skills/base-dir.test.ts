import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { baseDirTransform } from "./skills.ts";

const TEXT = "---\nname: packing\n---\nSee {baseDir}/a and {baseDir}/b";
const skills = [{ name: "packing", description: "", path: "skills/packing/SKILL.md" }];

function layOut(directory: string): void {
  mkdirSync(join(directory, "skills/packing/references"), { recursive: true });
  for (const path of ["skills/packing/SKILL.md", "skills/packing/references/other.md", "SKILL.md"]) {
    writeFileSync(join(directory, path), TEXT);
  }
  symlinkSync(join(directory, "skills"), join(directory, "linked"));
  symlinkSync(join(directory, "skills/packing/SKILL.md"), join(directory, "alias.md"));
}

test.each(["skills/packing/SKILL.md", "linked/packing/SKILL.md", "alias.md", "skills/../skills/./packing/SKILL.md"])(
  "the text of an indexed skill read as %s has {baseDir} replaced",
  (path) => {
    using agent = temporaryDirectory();
    layOut(agent.path);
    const transform = baseDirTransform({ skills, agentDir: agent.path });
    const folder = join(agent.path, "skills/packing");
    expect(transform(`${agent.path}/${path}`, TEXT)).toBe(`---\nname: packing\n---\nSee ${folder}/a and ${folder}/b`);
  },
);

test.each(["SKILL.md", "skills/packing/references/other.md", "missing.md"])(
  "the text of %s, which is no indexed skill, stays as it is",
  (path) => {
    using agent = temporaryDirectory();
    layOut(agent.path);
    expect(baseDirTransform({ skills, agentDir: agent.path })(join(agent.path, path), TEXT)).toBe(TEXT);
  },
);

test("an agent directory that is reached through a link is named as the user named it", () => {
  using agent = temporaryDirectory();
  using other = temporaryDirectory();
  layOut(agent.path);
  const link = join(other.path, "agent");
  symlinkSync(agent.path, link);
  const transform = baseDirTransform({ skills, agentDir: link });
  expect(transform(join(agent.path, "skills/packing/SKILL.md"), "{baseDir}")).toBe(join(link, "skills/packing"));
});
