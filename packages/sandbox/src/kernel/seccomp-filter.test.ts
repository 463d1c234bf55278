import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { DENIALS } from "../../../../scripts/seccomp/denied-calls.ts";
import { FILTERS_FILE, filtersFile } from "../../../../scripts/seccomp/filters-file.ts";
import { NEWEST_SYSCALL, syscallNumber } from "../../../../scripts/seccomp/syscall-numbers.ts";
import { evaluateFilter } from "../../../../test/support/bpf-evaluator.ts";
import { ERROR_NUMBERS, FILTER_CASES, type FilterCase } from "../../../../test/support/filtered-calls.ts";
import { requireFile } from "../../../../test/support/require-program.ts";
import type { Architecture } from "./filter-file.ts";
import { SECCOMP_FILTERS } from "./seccomp-filters.ts";

/** `AUDIT_ARCH_X86_64` and the like. */
const AUDIT = { x64: 0xc000003e, i386: 0x40000003, arm64: 0xc00000b7, arm: 0x40000028 } as const;

const KNOWN_CALLS = [...new Set(DENIALS.flatMap(({ calls }) => calls))];

const HEADERS = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h";
const GENERIC_HEADERS = "/usr/include/asm-generic/unistd.h";
/** Newer than the headers of Debian 12. */
const NEWER_THAN_HEADERS: readonly string[] = ["fchmodat2", "open_tree_attr"];

const expectedOf = ({ result }: FilterCase): "allowed" | number =>
  result === "allowed" ? result : ERROR_NUMBERS[result];

test("the file of filters is what `npm run seccomp` writes", () => {
  expect(readFileSync(FILTERS_FILE, "utf8")).toBe(filtersFile());
});

describe.each<Architecture>(["x64", "arm64"])("the filter for %s", (architecture) => {
  const filter = Uint8Array.fromBase64(SECCOMP_FILTERS[architecture]);
  const judge = (number: number, args: readonly bigint[], auditArchitecture: number = AUDIT[architecture]) =>
    evaluateFilter(filter, { number, auditArchitecture, arguments: args });

  const cases = FILTER_CASES.flatMap((one) => {
    const number = syscallNumber(one.call, architecture);
    return number === undefined ? [] : [{ ...one, number }];
  });

  test.each(cases)("$title: $result", (one) => {
    expect(judge(one.number, one.arguments)).toBe(expectedOf(one));
  });

  test("allows every call that it does not list", () => {
    const listed = new Set(KNOWN_CALLS.map((call) => syscallNumber(call, architecture)));
    const others = Array.from({ length: NEWEST_SYSCALL + 1 }, (_, number) => number).filter((one) => !listed.has(one));
    const full = Array(6).fill(0xffffffff_ffffffffn);
    expect(others.filter((number) => judge(number, full) !== "allowed")).toStrictEqual([]);
    expect(others.length).toBeGreaterThan(400);
  });

  test.each([
    ["the next one", NEWEST_SYSCALL + 1],
    ["read in the numbers of x32", 0x40000000],
    ["socket in the numbers of x32", 0x40000029],
    ["ptrace in the old numbers of x32", 521],
    ["the highest one", 0xffffffff],
  ])("knows no number that is newer than itself: %s", (_, number) => {
    expect(judge(number, [])).toBe(ERROR_NUMBERS.ENOSYS);
  });

  test("kills a process for any call through another architecture's entry", () => {
    const foreign = Object.values(AUDIT).filter((one) => one !== AUDIT[architecture]);
    const results = foreign.flatMap((audit) => [0, 1, 20, 359, 1000].map((number) => judge(number, [], audit)));
    expect(results).toStrictEqual(Array(15).fill("killed"));
  });

  test("has the form that the kernel takes: whole instructions, and at most 4096", () => {
    expect(filter.length % 8).toBe(0);
    expect(filter.length / 8).toBeWithin(50, 256);
  });

  const header = architecture === "x64" ? HEADERS : GENERIC_HEADERS;
  test.skipIf(requireFile(header, "linux-libc-dev"))("has the numbers of the kernel's headers", () => {
    const text = readFileSync(header, "utf8");
    const numbers = new Map(
      [...text.matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm)].map(([, name = "", digits]) => [
        name,
        Number(digits),
      ]),
    );
    const compared = KNOWN_CALLS.filter((call) => !NEWER_THAN_HEADERS.includes(call));
    const ours = compared.map((call) => [call, syscallNumber(call, architecture)]);
    expect(ours).toStrictEqual(compared.map((call) => [call, numbers.get(call)]));
  });
});
