import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import type { Mounts } from "./mounts.ts";
import { Placeholders, REMOVE_PLACEHOLDERS } from "./placeholders.ts";

interface Bench extends Disposable {
  readonly work: string;
  readonly run: string;
  readonly mounts: Mounts;
  /** Another user of the folder of the lists, as another process is. */
  open(): Placeholders;
  at(...names: readonly string[]): readonly string[];
}

function bench(): Bench {
  const directory = temporaryDirectory();
  const [work, run] = [join(directory.path, "work"), join(directory.path, "run")];
  mkdirSync(work);
  mkdirSync(run, { mode: 0o700 });
  return {
    ...{ work, run, mounts: new Map([[work, { kind: "writable" }]]) },
    open: () => new Placeholders(run),
    at: (...names) => names.map((name) => join(work, name)),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

describe("placeholders", () => {
  test("are empty folders at what does not exist, and nothing is left of them", () => {
    using ground = bench();
    const { work, mounts, at } = ground;
    writeFileSync(join(work, "file"), "1");
    mkdirSync(join(work, "folder"));
    const placeholders = ground.open();
    const free = placeholders.free(at("file", "folder", ".envrc", ".cargo/config.toml"), mounts);
    expect(free).toEqual([...at(".envrc", ".cargo/config.toml")]);
    const reserved = placeholders.reserve(free, mounts);
    expect(reserved).toEqual({ covered: [...free], pinned: [...at(".cargo")] });
    expect(placeholders.free([...free], mounts)).toEqual([...free]);
    expect(placeholders.areThere(reserved)).toBe(true);
    placeholders.remove();
    expect(readdirSync(work).toSorted()).toEqual(["file", "folder"]);
    expect(readdirSync(ground.run)).toEqual([]);
  });

  test("in which the user puts a file stay, and are no placeholders any more", () => {
    using ground = bench();
    const [folder = ""] = ground.at(".vscode");
    const placeholders = ground.open();
    const reserved = placeholders.reserve([folder], ground.mounts);
    writeFileSync(join(folder, "settings.json"), "{}");
    expect(placeholders.free([folder], ground.mounts)).toEqual([]);
    placeholders.remove();
    expect(readdirSync(folder)).toEqual(["settings.json"]);
    expect(placeholders.areThere(reserved)).toBe(true);
  });

  test("that two processes use stay until both have ended", () => {
    using ground = bench();
    const [folder = ""] = ground.at(".idea");
    const [one, other] = [ground.open(), ground.open()];
    one.reserve([folder], ground.mounts);
    other.reserve(other.free([folder], ground.mounts), ground.mounts);
    one.remove();
    expect(existsSync(folder)).toBe(true);
    other.remove();
    expect(existsSync(folder)).toBe(false);
  });

  test("are none where a command could not write, or where a link is on the way", () => {
    using ground = bench();
    const [link = "", inner = ""] = ground.at("link", "closed");
    symlinkSync("/tmp", link);
    const mounts: Mounts = new Map([...ground.mounts, [inner, { kind: "read-only" }]]);
    expect(ground.open().free([link, join(inner, "x"), "/etc/x"], mounts)).toEqual([]);
  });

  test("of a killed process are removed by its reaper, except other processes'", async () => {
    using ground = bench();
    const [alone = "", shared = ""] = ground.at("a b", "shared");
    const [one, other] = [ground.open(), ground.open()];
    one.reserve([alone, shared], ground.mounts);
    other.reserve([shared], ground.mounts);
    await Bun.spawn(["/bin/sh", "-c", REMOVE_PLACEHOLDERS, "mdx-ai", one.list]).exited;
    expect(readdirSync(ground.work)).toEqual(["shared"]);
    expect(readdirSync(ground.run)).toHaveLength(1);
    other.remove();
  });

  test("that a running process is removing are removed by no other process: it may already need them again", () => {
    using ground = bench();
    const [folder = ""] = ground.at(".zed");
    const [one, other] = [ground.open(), ground.open()];
    one.reserve([folder], ground.mounts);
    renameSync(one.list, `${one.list}.gone`);
    other.remove();
    expect(existsSync(folder)).toBe(true);
    expect(readdirSync(ground.run)).toHaveLength(1);
    one.remove();
    expect(existsSync(folder)).toBe(false);
  });

  test("that are made again are removed at the end, also if they belonged to another process before", () => {
    using ground = bench();
    const { mounts, at, work } = ground;
    const first = ground.open();
    const free = first.free(at("logs"), mounts);
    first.reserve(free, mounts);
    const second = ground.open();
    // The list of the first process is gone for the second one before its placeholder is.
    renameSync(first.list, `${ground.run}/elsewhere`);
    const reserved = second.reserve(free, mounts);
    rmdirSync(join(work, "logs"));
    second.renew(reserved);
    expect(second.areThere(reserved)).toBe(true);
    second.remove();
    expect(readdirSync(work)).toEqual([]);
  });

  test("that another program removes are noticed, and made again", () => {
    using ground = bench();
    const [folder = ""] = ground.at(".envrc");
    const placeholders = ground.open();
    const reserved = placeholders.reserve([folder], ground.mounts);
    rmdirSync(folder);
    expect(placeholders.areThere(reserved)).toBe(false);
    placeholders.renew(reserved);
    expect(placeholders.areThere(reserved)).toBe(true);
    rmdirSync(folder);
    placeholders.reserve(placeholders.free([folder], ground.mounts), ground.mounts);
    expect(placeholders.areThere(reserved)).toBe(true);
    placeholders.remove();
  });
});
