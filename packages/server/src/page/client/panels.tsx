import { useEffect, useState } from "preact/hooks";
import type { Api } from "./api.ts";

interface PanelProps {
  readonly api: Api;
  readonly path: string;
}

/** The answer to a GET; undefined before it is there, an error if it failed. */
function useAnswer<Answer>(api: Api, path: string): Answer | Error | undefined {
  const [answer, setAnswer] = useState<Answer | Error>();
  useEffect(() => {
    let isShown = true;
    const show = (value: Answer | Error): void => {
      if (isShown) setAnswer(value);
    };
    api.send<Answer>("GET", path).then(show, show);
    return () => {
      isShown = false;
    };
  }, [api, path]);
  return answer;
}

interface Step {
  readonly type: string;
  readonly name?: string;
  readonly model?: string;
  readonly text?: string;
  readonly latency?: number;
  readonly duration?: number;
  readonly isFailed?: boolean;
}

interface TracedPrompt {
  readonly number: number;
  readonly input?: string;
  readonly outcome: string;
  readonly duration?: number;
  readonly cost: { readonly usd: number; readonly usage: { readonly total: number } };
  readonly turns: readonly { readonly number: number; readonly steps: readonly Step[] }[];
}

/** What each prompt did, and how long it took. */
export function TracePanel({ api, path }: PanelProps) {
  const trace = useAnswer<{ readonly prompts: readonly TracedPrompt[] } | null>(api, `${path}/trace`);
  if (trace === undefined || trace instanceof Error) return <Missing answer={trace} />;
  if (trace === null || trace.prompts.length === 0) return <p class="soft">Nothing has run yet.</p>;
  return (
    <ol class="trace">
      {trace.prompts.map((prompt) => (
        <li key={prompt.number}>
          <details>
            <summary>
              <b>{prompt.number}</b> {prompt.input ?? ""}{" "}
              <span class="soft">
                {prompt.outcome}, {seconds(prompt.duration)}, {prompt.cost.usage.total} tokens
              </span>
            </summary>
            {prompt.turns.flatMap(({ number, steps }) =>
              steps.map((step, index) => <TraceRow key={`${number}.${index}`} {...{ step, prompt }} />),
            )}
          </details>
        </li>
      ))}
    </ol>
  );
}

function TraceRow({ step, prompt }: { readonly step: Step; readonly prompt: TracedPrompt }) {
  const time = step.latency ?? step.duration ?? 0;
  const share = Math.min(100, (100 * time) / Math.max(1, prompt.duration ?? time));
  return (
    <div class={`row ${step.type}${step.isFailed === true ? " bad" : ""}`}>
      <span>{step.name ?? step.model ?? step.type}</span>
      <meter min={0} max={100} value={share} aria-label={`Share of the prompt's time: ${Math.round(share)} %`} />
      <span class="soft">{seconds(time)}</span>
    </div>
  );
}

const seconds = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "unfinished" : `${(milliseconds / 1000).toFixed(1)} s`;

interface Schedule {
  readonly schedule: readonly {
    readonly task?: string;
    readonly interval?: number;
    readonly cron?: string;
    readonly next: readonly string[];
  }[];
  readonly wakes: readonly {
    readonly at: string;
    readonly reason?: string;
    readonly task?: string;
    readonly outcome: string;
  }[];
}

/** When the agent wakes, and how the last wakes ended. */
export function HeartbeatPanel({ api, path }: PanelProps) {
  const answer = useAnswer<Schedule>(api, `${path}/heartbeats`);
  if (answer === undefined || answer instanceof Error) return <Missing answer={answer} />;
  if (answer.schedule.length === 0) return <p class="soft">This agent has no heartbeat.</p>;
  return (
    <>
      <ul>
        {answer.schedule.map(({ task, cron, interval, next }, index) => (
          <li key={index}>
            <b>{task ?? "Wake"}</b> {cron ?? seconds(interval)}
            <br />
            <span class="soft">next: {next.map((time) => new Date(time).toLocaleString()).join(", ")}</span>
          </li>
        ))}
      </ul>
      <ul>
        {answer.wakes.toReversed().map(({ at, reason, task, outcome }, index) => (
          <li key={index} class="soft">
            {new Date(at).toLocaleString()}: {reason ?? task}, {outcome}
          </li>
        ))}
      </ul>
    </>
  );
}

interface Memories {
  readonly memories: readonly { readonly id: string; readonly timestamp: string; readonly content: string }[];
  readonly notes: string | null;
}

/** What the agent remembers. */
export function MemoryPanel({ api, path }: PanelProps) {
  const answer = useAnswer<Memories>(api, `${path}/memory`);
  if (answer === undefined || answer instanceof Error) return <Missing answer={answer} />;
  return (
    <>
      {answer.memories.length === 0 && <p class="soft">No memories.</p>}
      <ul>
        {answer.memories.map(({ id, content, timestamp }) => (
          <li key={id} dir="auto">
            {content} <span class="soft">{new Date(timestamp).toLocaleDateString()}</span>
          </li>
        ))}
      </ul>
      {answer.notes !== null && <pre tabIndex={0}>{answer.notes}</pre>}
    </>
  );
}

const Missing = ({ answer }: { readonly answer: Error | undefined }) => (
  <p class={answer === undefined ? "soft" : "error"}>{answer === undefined ? "Loading …" : answer.message}</p>
);
