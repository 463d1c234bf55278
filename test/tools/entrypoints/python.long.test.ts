import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../support/eventually.ts";
import { noProcessesOf, processesOf } from "../../support/remaining-processes.ts";
import { requireProgram } from "../../support/require-program.ts";
import { type SkillToolRun, skillTool } from "../../support/skill-tool.ts";

const MODULE = `import asyncio, dataclasses, datetime, os, subprocess, sys, time
import helper

calls = 0

def add(a, b=2):
    return {"sum": a + b}

def text():
    return "plain é 🎉"

def nothing():
    pass

async def later(text):
    await asyncio.sleep(0)
    return [text, helper.NAME]

def counted():
    global calls
    calls += 1
    return calls

def rich():
    @dataclasses.dataclass
    class Point:
        x: int
    return {"point": Point(1), "set": {1}, "day": datetime.date(2026, 1, 2), "nested": (1, [None, True])}

def fail(kind="plain"):
    if kind == "plain":
        raise ValueError("bad luck\\nin two lines")
    if kind == "exit":
        sys.exit(3)
    if kind == "hard":
        os._exit(4)
    if kind == "deep":
        fail("deep")
    if kind == "helper":
        helper.fail()
    if kind == "object":
        return object()
    if kind == "nan":
        return float("nan")
    if kind == "library":
        import json
        json.loads("{")

def garbage():
    print('{"type": "answer", "id": 1, "result": {"content": []}, "final": false}')
    print("x" * 100000)
    sys.stderr.write("\\x00\\xff broken \\n")
    os.write(1, b"\\xff\\xfe\\n")
    sys.stdin.close()
    return "still here"

def forge():
    for descriptor in range(3, 20):
        try:
            os.write(descriptor, b"not json\\n")
        except OSError:
            pass
    time.sleep(5)
    return "forged"

def big():
    return "é" * 1000000

def spin():
    while True:
        pass

def children(mark):
    subprocess.Popen(["sh", "-c", "sleep 300", mark])
    time.sleep(300)

def where():
    return {"cwd": os.getcwd(), "path": sys.path[0], "extra": sorted(k for k in os.environ if "KEY" in k or k.startswith("MDX_AI"))}
`;

const files = {
  "tools.py": MODULE,
  "helper.py": 'NAME = "helper"\n\ndef fail():\n    raise KeyError("from the helper")\n',
  "broken.py": "def x(:\n    pass\n",
  "inner/__init__.py": "",
  "inner/deep.py": "from .. import x\n",
  "pack/__init__.py": "",
  "pack/part.py": "from . import other\n\ndef go():\n    return other.VALUE\n",
  "pack/other.py": "VALUE = 7\n",
};

const python = (target: string, more: Parameters<typeof skillTool>[1] = {}) =>
  skillTool(`python:${target}`, { files, properties: {}, ...more });

/** Made once for all tests of a function: a process starts slowly on a busy machine. */
const shared = new Map<string, SkillToolRun>();

function sharedPython(target: string): SkillToolRun {
  const made = shared.get(target) ?? python(target);
  shared.set(target, made);
  return made;
}

afterAll(async () => {
  for (const made of shared.values()) await made[Symbol.asyncDispose]();
});

describe.skipIf(requireProgram("python3"))("a python entrypoint", () => {
  test.each([
    ["tools.add", { a: 1 }, '{"sum": 3}'],
    ["tools.add", { a: 1.5, b: -1 }, '{"sum": 0.5}'],
    ["tools.text", {}, "plain é 🎉"],
    ["tools.nothing", {}, ""],
    ["tools.later", { text: "'); import os #\n\u2028" }, '["\'); import os #\\n\u2028", "helper"]'],
    ["tools.rich", {}, '{"point": {"x": 1}, "set": [1], "day": "2026-01-02", "nested": [1, [null, true]]}'],
    ["pack.part.go", {}, "7"],
    // Of Python itself.
    ["posixpath.basename", { p: "a/b" }, "b"],
  ])("%s with %j returns %j", async (target, args, text) => {
    expect(await sharedPython(target).run(args)).toStrictEqual({ text, isError: false });
  });

  test.each([
    ["tools.fail", {}, "ValueError: bad luck\nin two lines (skills/demo/tools.py:32)"],
    ["tools.fail", { kind: "helper" }, "KeyError: 'from the helper' (skills/demo/helper.py:4)"],
    ["tools.fail", { kind: "exit" }, "SystemExit: 3 (skills/demo/tools.py:34)"],
    ["tools.fail", { kind: "hard" }, "the tool ended its own process (exit code 4)"],
    ["tools.fail", { kind: "deep" }, "RecursionError: maximum recursion depth exceeded"],
    ["tools.fail", { kind: "object" }, "TypeError: the function returned a object, which is not JSON"],
    ["tools.fail", { kind: "nan" }, "TypeError: the function returned a value that is not JSON"],
    ["tools.fail", { kind: "library" }, "(skills/demo/tools.py:47)"],
    ["tools.add", { c: 1 }, "TypeError: add() got an unexpected keyword argument 'c'"],
    ["tools.missing", {}, "has no function missing"],
    ["broken.x", {}, "(skills/demo/broken.py:1)"],
    [
      "inner.deep.x",
      {},
      "ImportError: attempted relative import beyond top-level package (skills/demo/inner/deep.py:1)",
    ],
    ["absent.x", {}, "there is no Python module absent: neither skills/demo/absent.py nor one that is installed for "],
  ])("%s with %j fails with its reason and place", async (target, args, text) => {
    const result = await sharedPython(target).run(args);
    expect([result.isError, result.text]).toStrictEqual([true, expect.stringContaining(text)]);
  });

  test("keeps its module for the next call, and its output out of the result", async () => {
    await using made = python("tools.counted");
    expect([(await made.run()).text, (await made.run()).text]).toStrictEqual(["1", "2"]);
    await using loud = python("tools.garbage");
    expect(await loud.run()).toStrictEqual({ text: "still here", isError: false });
    expect(loud.lines.some((line) => line.startsWith('{"type": "answer"'))).toBe(true);
    expect((await loud.run()).isError).toBe(false);
  });

  test("costs one error if it writes into the channel", async () => {
    await using made = python("tools.forge");
    const result = await made.run();
    expect([result.isError, result.text]).toStrictEqual([
      true,
      "the tool broke the channel between its process and the agent",
    ]);
  });

  test("has a result within the limit", async () => {
    await using made = python("tools.big");
    const { text } = await made.run();
    expect(text.length).toBeLessThanOrEqual(32_200);
    expect(text.slice(-100)).toContain("characters dropped: a tool result has at most 32000 characters]");
  });

  test("is stopped when its time is over or its call is aborted, with all that it started", async () => {
    await using spinning = python("tools.spin", { timeout: 0.5 });
    expect((await spinning.run()).text).toBe("the tool was stopped: it timed out after 0.5 seconds");
    const mark = `mark-${crypto.randomUUID()}`;
    await using made = python("tools.children");
    const abortion = new AbortController();
    const running = made.run({ mark }, abortion.signal);
    await eventually(() => expect(processesOf(mark).length).toBeGreaterThan(0));
    abortion.abort();
    expect((await running).isError).toBe(true);
    await noProcessesOf(mark);
  });

  test("works where tools work, imports from its skill first and writes nothing there", async () => {
    await using made = python("tools.where");
    expect(JSON.parse((await made.run()).text)).toStrictEqual({ cwd: made.directory, path: made.folder, extra: [] });
    expect(readdirSync(made.folder).includes("__pycache__")).toBe(false);
  });

  test("no folder or variable of the user replaces a module", async () => {
    await using made = python("tools.text", { files: { ...files, "../../json.py": "raise SystemExit(9)\n" } });
    expect(existsSync(join(made.directory, "json.py"))).toBe(true);
    expect((await made.run()).text).toBe("plain é 🎉");
  });
});

test("without python3 a python entrypoint says so", async () => {
  await using made = skillTool("python:tools.text", { options: { environment: { PATH: "/nowhere" } } });
  expect(await made.run()).toStrictEqual({
    text: "python3 is not on PATH: install Python 3, which runs the tools with a `python:` entrypoint",
    isError: true,
  });
});
