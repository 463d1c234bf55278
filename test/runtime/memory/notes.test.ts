import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../../support/agent-files.ts";
import { openMemory } from "../../support/open-memory.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const KIB_64 = 65_536;

const path = (agentDir: string): string => join(agentDir, "AGENT.md");

test.each<[string, string | undefined, string, string]>([
  ["is made where it is missing", undefined, "use tabs", "* use tabs\n"],
  ["that is empty gets its first line", "", "use tabs", "* use tabs\n"],
  ["gets the line at its end", "# Rules\n\n", "use tabs", "# Rules\n\n* use tabs\n"],
  ["gets a newline first where it does not end in one", "# Rules", "use tabs", "# Rules\n* use tabs\n"],
  ["with CRLF stays as it is", "a\r\n", "b", "a\r\n* b\n"],
  ["gets a text exactly as it is", "a\n", "  two\n\n  lines * 🙂\t", "a\n*   two\n\n  lines * 🙂\t\n"],
])("AGENT.md %s", async (_name, before, text, after) => {
  using agent = temporaryDirectory();
  if (before !== undefined) writeText(path(agent.path), before);
  const { memory } = openMemory(agent.path);
  const note = await memory.addNote(text);
  expect(readFileSync(path(agent.path), "utf8")).toBe(after);
  expect(note).toStrictEqual({ line: `* ${text}`, size: Buffer.byteLength(after), sent: KIB_64 });
  expect((await memory.read()).notes).toStrictEqual({ text: after, size: Buffer.byteLength(after), omitted: 0 });
});

test("AGENT.md keeps its mode", async () => {
  using agent = temporaryDirectory();
  writeText(path(agent.path), "a\n");
  chmodSync(path(agent.path), 0o640);
  await openMemory(agent.path).memory.addNote("b");
  expect(statSync(path(agent.path)).mode & 0o777).toBe(0o640);
});

test("notes that are added at once keep their order", async () => {
  using agent = temporaryDirectory();
  const { memory } = openMemory(agent.path);
  await Promise.all(Array.from({ length: 50 }, (_, at) => memory.addNote(`${at}`)));
  const lines = Array.from({ length: 50 }, (_, at) => `* ${at}\n`);
  expect(readFileSync(path(agent.path), "utf8")).toBe(lines.join(""));
});

test("an ephemeral agent may add notes: AGENT.md is the user's own", async () => {
  using agent = temporaryDirectory();
  await openMemory(agent.path, { isEphemeral: true }).memory.addNote("a");
  expect(readFileSync(path(agent.path), "utf8")).toBe("* a\n");
  await expect(openMemory(agent.path).memory.addNote(" \n")).rejects.toThrow("the note is empty");
});

test.each([
  ["exactly 64 KiB", "a".repeat(KIB_64), KIB_64, 0],
  ["one byte more", "a".repeat(KIB_64 + 1), KIB_64, 1],
  ["a character of two bytes at the end", `${"a".repeat(KIB_64 - 1)}ü.`, KIB_64 - 1, 3],
  ["a character of four bytes at the end", `${"a".repeat(KIB_64 - 3)}🙂.`, KIB_64 - 3, 5],
  ["a character that ends there", `${"a".repeat(KIB_64 - 4)}🙂.`, KIB_64, 1],
  ["many megabytes", `${"é".repeat(KIB_64 / 2)}${"x".repeat(5_000_000)}`, KIB_64, 5_000_000],
])("of AGENT.md the first 64 KiB are sent, cut between two characters: %s", async (_name, text, kept, omitted) => {
  using agent = temporaryDirectory();
  writeText(path(agent.path), text);
  const { memory, warnings } = openMemory(agent.path);
  const { notes } = await memory.read();
  expect(Buffer.byteLength(notes?.text ?? "")).toBe(kept);
  expect(text).toStartWith(notes?.text ?? "nothing");
  expect(notes).toMatchObject({ size: Buffer.byteLength(text), omitted });
  await memory.read();
  expect(warnings).toHaveLength(omitted === 0 ? 0 : 1);
});

test("bytes that are no text neither stop nor lengthen anything", async () => {
  using agent = temporaryDirectory();
  writeText(path(agent.path), "");
  truncateSync(path(agent.path), KIB_64 + 10);
  expect((await openMemory(agent.path).memory.read()).notes).toMatchObject({ omitted: 10 });
  Bun.spawnSync(["sh", "-c", `head -c 70000 /dev/zero | tr '\\0' '\\200' > "${path(agent.path)}"`]);
  expect((await openMemory(agent.path).memory.read()).notes).toMatchObject({
    ...{ size: 70_000, omitted: 70_000 - KIB_64 },
  });
});

test("a byte-order mark is no part of the text", async () => {
  using agent = temporaryDirectory();
  writeText(path(agent.path), "\ufeffa");
  expect((await openMemory(agent.path).memory.read()).notes?.text).toBe("a");
});

test.each<[string, (place: string, elsewhere: string) => void, string]>([
  ["a symbolic link", (place, elsewhere) => symlinkSync(elsewhere, place), "is a symbolic link, which is not followed"],
  ["a link that leads nowhere", (place) => symlinkSync("nowhere", place), "is a symbolic link, which is not followed"],
  ["a folder", (place) => void mkdirSync(place), "is a folder where a file should be"],
  [
    "a pipe",
    (place) => void Bun.spawnSync(["mkfifo", place]),
    "is a pipe, a device or the like where a file should be",
  ],
])("%s instead of AGENT.md is reported once, passed over and never written to", async (_name, make, reason) => {
  using agent = temporaryDirectory();
  using other = temporaryDirectory();
  const elsewhere = join(other.path, "secret");
  writeText(elsewhere, "secret");
  make(path(agent.path), elsewhere);
  const { memory, warnings } = openMemory(agent.path);
  for (let look = 0; look < 2; look++) expect(await memory.read()).toStrictEqual({ memories: [] });
  expect(warnings).toStrictEqual([expect.stringMatching(/^the model does not receive AGENT\.md: /)]);
  expect(warnings[0]).toContain(reason);
  await expect(memory.addNote("new")).rejects.toThrow(reason);
  expect(readFileSync(elsewhere, "utf8")).toBe("secret");
  expect(existsSync(join(agent.path, "nowhere"))).toBe(false);
});

test("a removed agent directory stays removed", async () => {
  using parent = temporaryDirectory();
  const agentDir = join(parent.path, "agent");
  mkdirSync(agentDir);
  const { memory } = openMemory(agentDir);
  rmSync(agentDir, { recursive: true });
  await expect(memory.addNote("a")).rejects.toThrow("AGENT.md cannot be written");
  await expect(memory.remember("a")).rejects.toThrow("state/memory.json cannot be written");
  expect(existsSync(agentDir)).toBe(false);
});
