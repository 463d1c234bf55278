import { visibleLine } from "@mdx-ai/base";
import { htmlPage } from "@mdx-ai/directory/views/html-page";
import type { Trace } from "@mdx-ai/sessions";
import { traceData } from "./trace-data.ts";
import TRACE_SCRIPT from "./trace-script.js" with { type: "text" };
import { TRACE_STYLE } from "./trace-style.ts";

export { TRACE_SCRIPT, TRACE_STYLE };

/** A trace as a self-contained page: its JSON and the script that draws it. `agent` is the agent's name; `redact` redacts a text. */
export const tracePage = (trace: Trace, agent: string, redact: (text: string) => string): string =>
  htmlPage({
    title: redact(`Trace of ${visibleLine(agent)}, session ${visibleLine(trace.session)}`),
    style: TRACE_STYLE,
    body: `<noscript>This page is drawn by a script. Allow it, or see the same with mdx-ai trace in a terminal.</noscript>
<script type="application/json" id="trace">${embedded(traceData(trace, agent, redact))}</script>`,
    script: TRACE_SCRIPT,
  });

/** Escapes JSON for HTML, so that it cannot open or close an element. */
const embedded = (json: string): string => json.replaceAll("<", "\\u003c");
