import { expect, test } from "bun:test";
import { newLostErrors } from "./run-program.ts";

const errorOf = (file: string): Error => Object.assign(new Error("lost"), { stack: `Error: lost\n    at ${file}:1:2` });

test("an error that no code awaits is that of the module that claims it, also beside a stopped one of the same file", () => {
  const errors = newLostErrors();
  const asked: string[] = [];
  const claim = (name: string) => (error: unknown) =>
    Error.isError(error) && error.stack?.includes("/a/modules/timer.ts") === true && asked.push(name) > 0;
  const end = errors.watch(claim("first"), ["/a/modules/"]);
  expect(errors.isClaimed(errorOf("/a/modules/timer.ts"))).toBe(true);
  end();
  errors.watch(claim("second"), ["/a/modules/"]);
  expect(errors.isClaimed(errorOf("/a/modules/timer.ts"))).toBe(true);
  expect(asked).toEqual(["first", "second"]);
});

test("an error of a module that was stopped is claimed without being reported, and no other", () => {
  const errors = newLostErrors();
  errors.watch(() => false, ["/a/modules/"])();
  const files = ["/a/modules/timer.ts", "/a/tool.ts", "/b/modules/timer.ts"];
  expect(files.map((file) => errors.isClaimed(errorOf(file)))).toEqual([true, false, false]);
  expect(errors.isClaimed("text")).toBe(false);
});
