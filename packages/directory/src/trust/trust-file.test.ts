import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { changeTrustFile, readTrustFile } from "./trust-file.ts";

const silent = (): void => {};
const entry = { kind: "tool", item: "greet", aspect: "code", effect: "allows", value: "1" } as const;
const record = { since: "2026-01-01T00:00:00.000Z", hash: "0".repeat(64), entries: [entry] };

describe("the list of trusted directories", () => {
  test("keeps what was put on it, readable by its owner alone", async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "deep/state/trust.json");
    await changeTrustFile(file, (trusted) => trusted.set("/a b/ü", record), silent);
    expect([...readTrustFile(file, silent)]).toStrictEqual([["/a b/ü", record]]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder.path, "deep/state"))).toEqual(["trust.json"]);
  });

  test("is empty where there is none", () => {
    expect(readTrustFile("/nowhere/trust.json", silent).size).toBe(0);
  });

  test("loses nothing when many change it at once", async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "trust.json");
    const names = Array.from({ length: 30 }, (_, index) => `/directory-${index}`);
    await Promise.all(names.map((name) => changeTrustFile(file, (trusted) => trusted.set(name, record), silent)));
    expect([...readTrustFile(file, silent).keys()].sort()).toEqual(names.sort());
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    '"/a"',
    '{"version":1}',
    '{"version":1,"directories":{"/a":"x"}}',
    '{"version":1,"directories":{"/a":{"since":"x","hash":"1","entries":{"b":1}}}}',
    '{"version":1,"directories":{"/a":{"since":"x","hash":1,"entries":{}}}}',
    '{"version":1,"directories":{"/a":{"since":"x","hash":"1","edits":"yes","entries":{}}}}',
    '{"version":0,"directories":{"/a":{"since":"x","hash":"1","entries":{}}}}',
    '{"directories":{"/a":{"since":"x","hash":"1","entries":{}}}}',
    '{"version":1,"directories":{"/a":{"since":"x","hash":"1"}}}',
    '{"version":1,"directories":{"/a":{"since":"x","entries":{}}}}',
    '{"version":1,"directories":["/a"]}',
    '{"version":1,"directories":"/a"}',
  ])("trusts nothing where it is broken, and is set aside: %s", (text) => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "trust.json");
    writeFileSync(file, text);
    const warnings: string[] = [];
    expect(readTrustFile(file, (warning) => warnings.push(warning)).size).toBe(0);
    expect(warnings).toHaveLength(1);
    const [aside = "", ...others] = readdirSync(folder.path);
    expect(others).toEqual([]);
    expect(aside).toStartWith("trust.json.broken-");
    expect(readFileSync(join(folder.path, aside), "utf8")).toBe(text);
  });

  test("trusts nothing if a newer version wrote it, says what to do, and is not changed", async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "trust.json");
    const text = '{"version":2,"directories":{"/a":{}}}';
    writeFileSync(file, text);
    const newer = `${file} was written by a newer version of mdx-ai; update mdx-ai`;
    const warnings: string[] = [];
    expect(readTrustFile(file, (warning) => warnings.push(warning)).size).toBe(0);
    expect(warnings).toStrictEqual([`no directory is trusted: ${newer}`]);
    await expect(changeTrustFile(file, (trusted) => trusted.set("/b", record), silent)).rejects.toThrow(newer);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test.each([
    ["can be written by others", "chmod go-w", (file: string) => chmodSync(file, 0o666)],
    ["is in a folder that can be written by others", "chmod go-w", (file: string) => chmodSync(dirname(file), 0o777)],
    ["belongs to another user", "chown", (file: string) => chownSync(file, 65_534, 65_534)],
  ])("trusts nothing if it %s, says what to do, and is not changed", async (_what, command, share) => {
    // Only the superuser gives files away.
    if (command === "chown" && process.getuid?.() !== 0) return;
    using folder = temporaryDirectory();
    const file = join(folder.path, "state/trust.json");
    await changeTrustFile(file, (trusted) => trusted.set("/a", record), silent);
    share(file);
    const text = readFileSync(file, "utf8");
    const warnings: string[] = [];
    expect(readTrustFile(file, (warning) => warnings.push(warning)).size).toBe(0);
    expect(warnings).toStrictEqual([expect.stringContaining(`then run: ${command}`)]);
    expect(warnings[0]).toStartWith(`no directory is trusted: ${folder.path}/state`);
    const change = changeTrustFile(file, (trusted) => trusted.set("/b", record), silent);
    await expect(change).rejects.toThrow(command);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("is not made in a folder that others can write, where it would not be believed", async () => {
    using folder = temporaryDirectory();
    const state = join(folder.path, "state");
    mkdirSync(state);
    chmodSync(state, 0o777);
    const change = changeTrustFile(join(state, "trust.json"), (trusted) => trusted.set("/a", record), silent);
    await expect(change).rejects.toThrow(`${state} can be written by others`);
    expect(readdirSync(state)).toEqual([]);
  });

  test("is changed although a dead process left its lock", async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "trust.json");
    writeFileSync(`${file}.lock`, "1");
    utimesSync(`${file}.lock`, 0, 0);
    await changeTrustFile(file, (trusted) => trusted.set("/a", record), silent);
    expect(readTrustFile(file, silent).has("/a")).toBe(true);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test("says why it cannot be changed", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "state"), "a file where a folder should be");
    const change = changeTrustFile(
      join(folder.path, "state/trust.json"),
      (trusted) => trusted.set("/a", record),
      silent,
    );
    await expect(change).rejects.toThrow("state");
  });
});
