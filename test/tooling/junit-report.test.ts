import { describe, expect, test } from "bun:test";
import { countTests } from "../../scripts/testing/junit-report.ts";

describe("the counts of a test report", () => {
  test("come from its root, and its skipped and failed tests", () => {
    const report = `<?xml version="1.0"?>
<testsuites name="bun test" tests="5" assertions="1" failures="1" skipped="2" time="0.05">
  <testsuite name="a.test.ts" tests="5" failures="1" skipped="2">
    <testcase name="one" />
    <testcase name="two" classname="a &gt; b" file="a.test.ts" line="7">
      <failure type="Error" message="&lt;skipped /&gt;&#10;&#10;Expected: &quot;2&quot;" />
    </testcase>
    <testcase name="three &amp; more" time="0">
      <skipped />
    </testcase>
    <testcase name="four"><skipped message="TODO" /></testcase>
    <testcase name="five" />
  </testsuite>
</testsuites>`;
    expect(countTests(report)).toEqual({
      passed: 2,
      failed: 1,
      skipped: ["three & more", "four"],
      failures: ['a.test.ts:7 a > b > two\n    <skipped />\n    Expected: "2"'],
    });
  });

  test.each(["", "<testsuites >", '<testsuites tests="1">'])("are refused to %p", (report) => {
    expect(() => countTests(report)).toThrow("test report");
  });
});
