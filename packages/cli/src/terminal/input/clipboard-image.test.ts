import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { ClipboardImages, imagePrograms } from "./clipboard-image.ts";

/** The images of a clipboard that this shell script, named `wl-paste`, prints; without one, no program is installed. */
function clipboardOf(
  script: string | undefined,
  environment: Readonly<Record<string, string>> = { WAYLAND_DISPLAY: "w" },
) {
  const folder = temporaryDirectory();
  const program = join(folder.path, "wl-paste");
  if (script !== undefined) {
    writeText(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
  }
  return {
    images: new ClipboardImages({ PATH: folder.path, ...environment }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test("an image is a file of the user alone, until the conversation ends", async () => {
  using clipboard = clipboardOf('printf "\\211PNG\\r\\nimage"');
  const taken = await clipboard.images.take();
  if (!("path" in taken)) throw new Error(taken.problem);
  expect(readFileSync(taken.path).subarray(1).toString()).toBe("PNG\r\nimage");
  expect(clipboard.images.has(taken.path)).toBe(true);
  expect(clipboard.images.has(join(taken.path, "../other.png"))).toBe(false);
  clipboard.images.close();
  expect(existsSync(taken.path)).toBe(false);
});

test.each<[string, string | undefined, Readonly<Record<string, string>>, string]>([
  ["a text", "echo text", { WAYLAND_DISPLAY: "w" }, "The clipboard holds no image"],
  ["nothing", "exit 1", { WAYLAND_DISPLAY: "w" }, "The clipboard holds no image"],
  ["no program", undefined, { WAYLAND_DISPLAY: "w" }, "Install wl-paste to paste images of the clipboard"],
  ["no display", "exit 1", {}, "No display is known here whose clipboard could hold an image"],
  [
    "SSH",
    "exit 1",
    { WAYLAND_DISPLAY: "w", SSH_TTY: "t" },
    "No display is known here whose clipboard could hold an image",
  ],
])("with %s the user learns why there is no image", async (_what, script, environment, problem) => {
  using clipboard = clipboardOf(script, environment);
  expect(await clipboard.images.take()).toStrictEqual({ problem });
});

test("a Mac has pngpaste", () => {
  expect(imagePrograms({ DISPLAY: ":0" }, "darwin")).toStrictEqual([["pngpaste", "-"]]);
});
