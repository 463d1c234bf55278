import { describe, expect, test } from "bun:test";
import { runCases, type TestCase } from "@mdx-ai/directory/testing";

type RunCasesOptions = Parameters<typeof runCases>[1];
type TestFailure = NonNullable<Awaited<ReturnType<TestCase["run"]>>>;

const failure: TestFailure = { message: "wrong", lines: [] };
const place = { file: "agent.mdx", line: 1, column: 1 };
const testOf = (name: string, run: TestCase["run"]): TestCase => ({ subject: "t", name, place, run });

function watched(options: Partial<RunCasesOptions> = {}): RunCasesOptions & { readonly ended: string[] } {
  const ended: string[] = [];
  const signal = new AbortController().signal;
  const onEnd: RunCasesOptions["onEnd"] = ({ test: { name }, status }) => ended.push(`${name} ${status}`);
  return { jobs: 2, signal, onBegin: () => {}, onEnd, ended, ...options };
}

describe("tests run", () => {
  test("with their outcomes reported in the order of the tests, whichever ends first", async () => {
    const gate = Promise.withResolvers<void>();
    const options = watched();
    const outcomes = await runCases(
      [
        testOf("a", () => gate.promise.then(() => undefined)),
        testOf("b", async () => failure),
        testOf("c", async () => {
          gate.resolve();
          return undefined;
        }),
      ],
      options,
    );
    expect(options.ended).toStrictEqual(["a passed", "b failed", "c passed"]);
    expect(outcomes.map(({ test: { name }, failure: why }) => [name, why])).toStrictEqual([
      ["a", undefined],
      ["b", failure],
      ["c", undefined],
    ]);
  });

  test.each([1, 3])("at most %d at once", async (jobs) => {
    let running = 0;
    let most = 0;
    const one = async (): Promise<undefined> => {
      most = Math.max(most, ++running);
      await Bun.sleep(2);
      running -= 1;
      return undefined;
    };
    await runCases(
      Array.from({ length: 9 }, (_, index) => testOf(`${index}`, one)),
      watched({ jobs }),
    );
    expect(most).toBe(jobs);
  });

  test("on where one cannot be run, which is a failure", async () => {
    const options = watched();
    const outcomes = await runCases(
      [testOf("a", () => Promise.reject(new Error("no tool"))), testOf("b", async () => undefined)],
      options,
    );
    expect(options.ended).toStrictEqual(["a failed", "b passed"]);
    expect(outcomes[0]?.failure?.message).toBe("the test could not be run: no tool");
  });

  test("no more once they are interrupted, and one that was running does not count as failed", async () => {
    const controller = new AbortController();
    const options = watched({ jobs: 1, signal: controller.signal });
    await runCases(
      [
        testOf("a", async () => undefined),
        testOf("b", async () => {
          controller.abort();
          return failure;
        }),
        testOf("c", async () => failure),
      ],
      options,
    );
    expect(options.ended).toStrictEqual(["a passed", "b stopped", "c stopped"]);
  });
});
