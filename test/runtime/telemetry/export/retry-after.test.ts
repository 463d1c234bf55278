import { expect, test } from "bun:test";
import { retryAfter } from "../../../../packages/runtime/src/telemetry/export/retry-after.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

test.each([
  [null, undefined],
  ["3", 3000],
  ["0", undefined],
  ["-1", undefined],
  ["soon", undefined],
  ["Thu, 01 Jan 2026 00:00:02 GMT", 2000],
  ["Wed, 31 Dec 2025 23:59:59 GMT", undefined],
])("a retry-after header asks for its milliseconds: %p", (header, expected) => {
  expect(retryAfter(header, now)).toBe(expected);
});
