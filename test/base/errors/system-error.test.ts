import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { failureText, systemErrorText } from "@mdx-ai/base";

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("an error of the system is put in words, with its code and what to do", () => {
  expect(failureText(thrownBy(() => readFileSync("/")))).toBe(
    "there is a folder where a file should be (EISDIR); move it away, then try again",
  );
  expect(failureText(thrownBy(() => writeFileSync("/dev/null/file", "")))).toBe(
    "there is a file where a folder should be (ENOTDIR); move it away, then try again",
  );
});

test("an error of the system with a path begins with that path", () => {
  expect(systemErrorText(thrownBy(() => writeFileSync("/dev/null/file", "")))).toBe(
    "/dev/null/file: there is a file where a folder should be (ENOTDIR); move it away, then try again",
  );
  expect(systemErrorText(thrownBy(() => readFileSync("/no such file")))).toBeUndefined();
  expect(systemErrorText(new Error("it failed"))).toBeUndefined();
});

test("any other value gives its message", () => {
  expect(failureText(thrownBy(() => readFileSync("/no such file")))).toContain("ENOENT");
  expect(failureText(new Error("it failed"))).toBe("it failed");
  expect(failureText("text")).toBe("text");
});
