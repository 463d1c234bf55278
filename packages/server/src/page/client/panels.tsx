import { useEffect, useState } from "preact/hooks";
import type { Api } from "./api.ts";

interface PanelProps {
  readonly api: Api;
  readonly path: string;
}

/** What `load` gives; undefined before it is there, an error if it failed. It is loaded again when an input changes. */
export function useAnswer<Answer>(load: () => Promise<Answer>, inputs: readonly unknown[]): Answer | Error | undefined {
  const [answer, setAnswer] = useState<Answer | Error>();
  useEffect(() => {
    let isShown = true;
    const show = (value: Answer | Error): void => {
      if (isShown) setAnswer(value);
    };
    load().then(show, show);
    return () => {
      isShown = false;
    };
  }, inputs);
  return answer;
}

interface TracePanelProps extends PanelProps {
  /** The trace is read again when this changes. */
  readonly isRunning: boolean;
}

/** What happened in the session: the page of `mdx-ai trace --html`, in a frame that can reach nothing. */
export function TracePanel({ api, path, isRunning }: TracePanelProps) {
  const page = useAnswer(() => api.text(`${path}/trace?format=html`), [api, path, isRunning]);
  if (page === undefined || page instanceof Error) return <Missing answer={page} />;
  if (page.trim() === "null") return <p class="soft">Nothing has run yet.</p>;
  return <iframe title="Trace" sandbox="allow-scripts" srcdoc={page} />;
}

interface Wake {
  readonly task: string;
  /** In milliseconds. */
  readonly interval?: number;
  readonly cron?: readonly string[];
  readonly next: readonly string[];
}

interface Schedule {
  readonly schedule: readonly Wake[];
  readonly wakes: readonly {
    readonly at: string;
    readonly reason?: string;
    readonly task?: string;
    readonly outcome: string;
  }[];
}

const paceOf = ({ interval, cron = [] }: Wake): string =>
  [...(interval === undefined ? [] : [`every ${interval / 60_000} min`]), ...cron].join(", ");

/** When the agent wakes, and how the last wakes ended. */
export function HeartbeatPanel({ api, path }: PanelProps) {
  const answer = useAnswer(() => api.send<Schedule>("GET", `${path}/heartbeats`), [api, path]);
  if (answer === undefined || answer instanceof Error) return <Missing answer={answer} />;
  if (answer.schedule.length === 0) return <p class="soft">This agent has no heartbeat.</p>;
  return (
    <>
      <ul>
        {answer.schedule.map((wake, index) => (
          <li key={index}>
            <b>{wake.task}</b> {paceOf(wake)}
            <br />
            <span class="soft">next: {wake.next.map((time) => new Date(time).toLocaleString()).join(", ")}</span>
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

/** What the agent remembers; the user can add to it, and take from it. */
export function MemoryPanel({ api, path }: PanelProps) {
  const [version, setVersion] = useState(0);
  const [text, setText] = useState("");
  const answer = useAnswer(() => api.send<Memories>("GET", `${path}/memory`), [api, path, version]);
  if (answer === undefined || answer instanceof Error) return <Missing answer={answer} />;
  const change = async (method: string, rest: string, body?: object): Promise<void> => {
    await api.send(method, `${path}/memory${rest}`, body);
    setText("");
    setVersion(version + 1);
  };
  return (
    <>
      {answer.memories.length === 0 && <p class="soft">No memories.</p>}
      <ul>
        {answer.memories.map(({ id, content, timestamp }) => (
          <li key={id} dir="auto">
            {content} <span class="soft">{new Date(timestamp).toLocaleDateString()}</span>{" "}
            <button
              type="button"
              aria-label={`Forget: ${content}`}
              onClick={() => void change("DELETE", `/${encodeURIComponent(id)}`)}
            >
              Forget
            </button>
          </li>
        ))}
      </ul>
      <TextForm name="Remember" value={text} onChange={setText} onSubmit={() => void change("POST", "", { text })} />
      {answer.notes !== null && <pre tabIndex={0}>{answer.notes}</pre>}
    </>
  );
}

interface TextFormProps {
  /** Of the button and the field. */
  readonly name: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}

/** A field and its button. */
export const TextForm = ({ name, value, onChange, onSubmit }: TextFormProps) => (
  <form
    class="buttons"
    onSubmit={(event) => {
      event.preventDefault();
      if (value.trim() !== "") onSubmit();
    }}
  >
    <input aria-label={name} value={value} onInput={(event) => onChange(event.currentTarget.value)} />
    <button type="submit">{name}</button>
  </form>
);

/** In place of an answer that is not there. */
export const Missing = ({ answer }: { readonly answer: Error | undefined }) => (
  <p class={answer === undefined ? "soft" : "error"}>{answer === undefined ? "Loading …" : answer.message}</p>
);
