import { expect, test } from "bun:test";
import { otlpCollector } from "../../support/otlp-collector.ts";
import { agentText, run, team, teamModel } from "../../support/team.ts";

test("the spans of an agent that works as a tool are below the span of its call", async () => {
  using collector = otlpCollector();
  using files = team({
    "lead/agent.mdx": agentText("lead", '<Agent name="helper" src="../helper" description="Helps" />'),
    "helper/agent.mdx": agentText("helper"),
  });
  const environment = {
    ...files.frontEnd.environment,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  };
  const opened = await files.open(teamModel({ lead: [{ helper: "Help" }, "done"], helper: ["helped"] }), {
    frontEnd: { ...files.frontEnd, environment },
  });
  await run(opened, "Go");
  await opened.close();
  const { spans } = collector;
  const nameOf = (id: string | undefined): string => spans.find(({ spanId }) => spanId === id)?.name ?? "";
  const pathOf = (id: string | undefined): readonly string[] => {
    const span = spans.find(({ spanId }) => spanId === id);
    return span === undefined ? [] : [...pathOf(span.parentSpanId), nameOf(id)];
  };
  expect(spans.map(({ spanId }) => pathOf(spanId).join(" > ")).sort()).toStrictEqual([
    "invoke_agent lead",
    "invoke_agent lead > chat team",
    "invoke_agent lead > chat team",
    "invoke_agent lead > execute_tool helper",
    "invoke_agent lead > execute_tool helper > invoke_agent helper",
    "invoke_agent lead > execute_tool helper > invoke_agent helper > chat team",
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
});
