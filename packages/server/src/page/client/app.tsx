import { useEffect, useMemo, useState } from "preact/hooks";
import { Api, ApiError } from "./api.ts";
import { Conversation } from "./conversation.tsx";
import { HeartbeatPanel, MemoryPanel, TracePanel } from "./panels.tsx";
import { SessionPanel } from "./session-panel.tsx";
import { EMPTY } from "./timeline.ts";

export interface AgentView {
  readonly name: string;
  readonly title: string;
  readonly model: string;
  readonly mode: string;
  readonly session: string;
}

interface SessionView {
  readonly id: string;
  readonly title: string;
  readonly state: string;
}

/** What the address names: `#AGENT/SESSION`. */
interface Place {
  readonly agent: string;
  readonly session: string;
}

const placeOf = (hash: string): Place => {
  const [agent = "", session = ""] = hash.replace(/^#/, "").split("/").map(decodeURIComponent);
  return { agent, session };
};

const addressOf = ({ agent, session }: Place): string => `#${encodeURIComponent(agent)}/${encodeURIComponent(session)}`;

/** Milliseconds between two looks at the list of sessions. */
const LIST_PAUSE = 3000;

export function App({ token, forget }: { readonly token: string; readonly forget: () => void }) {
  const api = useMemo(() => new Api(token), [token]);
  const [place, setPlace] = useState(placeOf(location.hash));
  const [agents, setAgents] = useState<readonly AgentView[]>([]);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const follow = (): void => setPlace(placeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    api.send<{ agents: readonly AgentView[] }>("GET", "").then(
      ({ agents: found }) => {
        setAgents(found);
        const [first] = found;
        if (placeOf(location.hash).agent === "" && first !== undefined)
          location.replace(addressOf({ agent: first.name, session: first.session }));
      },
      (failure: unknown) => {
        if (failure instanceof ApiError && failure.status === 401) forget();
        setError(String(failure));
      },
    );
  }, [api]);
  const agent = agents.find(({ name }) => name === place.agent);
  if (agent === undefined) return <p class="soft start">{error ?? "Loading …"}</p>;
  return <Workbench {...{ api, agents, agent }} session={place.session || agent.session} />;
}

type Panel = "session" | "trace" | "heartbeat" | "memory";

interface WorkbenchProps {
  readonly api: Api;
  readonly agents: readonly AgentView[];
  readonly agent: AgentView;
  readonly session: string;
}

function Workbench({ api, agents, agent, session }: WorkbenchProps) {
  const [figures, setFigures] = useState({ timeline: EMPTY, isConnected: true });
  const [panel, setPanel] = useState<Panel>();
  // Read from the beginning again.
  const [version, setVersion] = useState(0);
  const show = (other = session): void => {
    const shown = other || agent.session;
    // The session of a new address is read anyway; this one may be gone.
    if (shown === session) setVersion(version + 1);
    else location.hash = addressOf({ agent: agent.name, session: shown });
  };
  const base = `/${encodeURIComponent(agent.name)}`;
  const path = `${base}/sessions/${encodeURIComponent(session)}`;
  const { usd, tokens, isUnpriced, questions, isRunning } = figures.timeline;
  useEffect(() => {
    document.title = `${questions.size > 0 ? "(?) " : ""}${agent.title} · ${session}`;
  }, [agent, session, questions]);
  return (
    <div class="app">
      <header>
        <h1>{agent.title}</h1>
        <span class="soft">
          {agent.model} · mode {agent.mode}
        </span>
        <span class="soft figures">
          {tokens} tokens · {isUnpriced ? "cost unknown" : `$${usd.toFixed(4)}`}
        </span>
        {!figures.isConnected && (
          <span class="error" role="status">
            Connecting again …
          </span>
        )}
        <nav aria-label="About this session">
          {PANELS.map(([name, words]) => (
            <button
              type="button"
              key={name}
              aria-pressed={panel === name}
              onClick={() => setPanel(panel === name ? undefined : name)}
            >
              {words}
            </button>
          ))}
        </nav>
      </header>
      <Sessions {...{ api, agents, agent, session, base, version }} isRunning={isRunning} />
      <Conversation
        key={`${path} ${version}`}
        {...{ api, path }}
        onFigures={(timeline, isConnected) => setFigures({ timeline, isConnected })}
      />
      {panel !== undefined && (
        <aside aria-label={panel}>
          {panel === "session" && <SessionPanel key={path} {...{ api, path, isRunning, show }} />}
          {panel === "trace" && <TracePanel {...{ api, path }} isRunning={isRunning} />}
          {panel === "heartbeat" && <HeartbeatPanel api={api} path={base} />}
          {panel === "memory" && <MemoryPanel api={api} path={base} />}
        </aside>
      )}
    </div>
  );
}

const PANELS: readonly (readonly [Panel, string])[] = [
  ["session", "Session"],
  ["trace", "Trace"],
  ["heartbeat", "Heartbeat"],
  ["memory", "Memory"],
];

interface SessionsProps extends WorkbenchProps {
  readonly base: string;
  /** The list is read again when this changes. */
  readonly version: number;
  /** Whether the open session runs: the list is read again when that changes. */
  readonly isRunning: boolean;
}

function Sessions({ api, agents, agent, session, base, version, isRunning }: SessionsProps) {
  const [sessions, setSessions] = useState<readonly SessionView[]>([]);
  useEffect(() => {
    const look = (): void => {
      if (document.hidden) return;
      api.send<{ sessions: readonly SessionView[] }>("GET", `${base}/sessions`).then(
        ({ sessions: found }) => setSessions(found),
        () => undefined,
      );
    };
    look();
    const timer = setInterval(look, LIST_PAUSE);
    return () => clearInterval(timer);
  }, [api, base, session, version, isRunning]);
  const create = async (): Promise<void> => {
    const { id } = await api.send<SessionView>("POST", `${base}/sessions`, {});
    location.hash = addressOf({ agent: agent.name, session: id });
  };
  return (
    <nav class="sessions" aria-label="Sessions">
      {agents.length > 1 &&
        agents.map(({ name, title, session: main }) => (
          <a key={name} href={addressOf({ agent: name, session: main })} aria-current={name === agent.name}>
            {title}
          </a>
        ))}
      <button type="button" onClick={() => void create()}>
        New session
      </button>
      <ul>
        {sessions.map(({ id, title, state }) => (
          <li key={id}>
            <a href={addressOf({ agent: agent.name, session: id })} aria-current={id === session ? "page" : undefined}>
              {title || id} {state !== "idle" && <span class={`mark ${state}`}>{state}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
