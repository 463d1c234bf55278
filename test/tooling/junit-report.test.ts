import { describe, expect, test } from "bun:test";
import { countTests } from "../../scripts/testing/junit-report.ts";

describe("the counts of a test report", () => {
  test("come from its root and its skipped tests", () => {
    const report = `<?xml version="1.0"?>
<testsuites name="bun test" tests="5" assertions="1" failures="1" skipped="2" time="0.05">
  <testsuite name="a.test.ts" tests="5" failures="1" skipped="2">
    <testcase name="one" />
    <testcase name="two"><failure type="Error" message="&lt;skipped /&gt;" /></testcase>
    <testcase name="three &amp; more" time="0">
      <skipped />
    </testcase>
    <testcase name="four"><skipped message="TODO" /></testcase>
    <testcase name="five" />
  </testsuite>
</testsuites>`;
    expect(countTests(report)).toEqual({ passed: 2, failed: 1, skipped: ["three &amp; more", "four"] });
  });

  test.each(["", "<testsuites >", '<testsuites tests="1">'])("are refused to %p", (report) => {
    expect(() => countTests(report)).toThrow("test report");
  });
});
