import type { JsonObject, JsonValue } from "@mdx-ai/base";
import type { ComponentChildren } from "preact";
import type { CallBlock } from "./timeline.ts";

interface CallProps {
  readonly call: CallBlock;
  /** What agents do that work as this call. */
  readonly children: ComponentChildren;
}

/** A tool call, folded: what it does, what it wrote, and its arguments. */
export function Call({ call, children }: CallProps) {
  const { name, label, args, output, state } = call;
  return (
    <details class={`call ${state}`} open={state === "failed"}>
      <summary>
        <span class="state" role="img" aria-label={STATES[state]} title={STATES[state]} />
        <b>{label?.verb ?? name}</b> <span class="subject">{subjectOf(args)}</span>
      </summary>
      <Change args={args} />
      {children}
      {output === "" ? <p class="soft">No output</p> : <pre tabIndex={0}>{output}</pre>}
      <details>
        <summary>Arguments of {name}</summary>
        <pre tabIndex={0}>{JSON.stringify(args, undefined, 2)}</pre>
      </details>
    </details>
  );
}

const STATES = { running: "runs", done: "done", failed: "failed" } as const;

const SUBJECTS = ["command", "path", "file_path", "pattern", "url", "query"] as const;

/** What a call is about, in one line. */
export function subjectOf(args: JsonObject): string {
  const subject = SUBJECTS.map((name) => args[name]).find((value) => typeof value === "string");
  if (typeof subject === "string") return subject;
  return Object.keys(args).length === 0 ? "" : JSON.stringify(args);
}

/** The lines that a call would write or replace. */
export function Change({ args }: { readonly args: JsonObject }) {
  const lines = changedLines(args);
  if (lines.length === 0) return null;
  return (
    <pre class="diff" tabIndex={0}>
      {lines.map(({ sign, text }, index) => (
        <span key={index} class={sign === "+" ? "added" : "removed"}>{`${sign} ${text}\n`}</span>
      ))}
    </pre>
  );
}

interface ChangedLine {
  readonly sign: "+" | "-";
  readonly text: string;
}

function changedLines(args: JsonObject): readonly ChangedLine[] {
  const { content, edits } = args;
  if (typeof content === "string") return linesOf("+", content);
  if (!Array.isArray(edits)) return [];
  return edits.flatMap((edit: JsonValue) => {
    if (typeof edit !== "object" || edit === null) return [];
    const [before, after] = ["old" in edit ? edit["old"] : "", "new" in edit ? edit["new"] : ""];
    return [...linesOf("-", before ?? ""), ...linesOf("+", after ?? "")];
  });
}

const linesOf = (sign: ChangedLine["sign"], text: JsonValue): readonly ChangedLine[] =>
  typeof text !== "string" || text === "" ? [] : text.split("\n").map((line) => ({ sign, text: line }));
