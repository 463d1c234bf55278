import { useState } from "preact/hooks";
import type { Api } from "./api.ts";
import { Missing, TextForm, useAnswer } from "./panels.tsx";

interface SessionPanelProps {
  readonly api: Api;
  /** Of the session, below the API. */
  readonly path: string;
  readonly isRunning: boolean;
  /** Shows another session, the first one for "", or this one from its beginning. */
  readonly show: (session?: string) => void;
}

interface Prompts {
  readonly prompts: readonly { readonly number: number; readonly input?: string }[];
}

/** What a user can do with a session as a whole: another title, a fork, taking prompts back, deleting. */
export function SessionPanel({ api, path, isRunning, show }: SessionPanelProps) {
  const [name, setName] = useState("");
  const [error, setError] = useState<string>();
  const trace = useAnswer(() => api.send<Prompts | null>("GET", `${path}/trace`), [api, path, isRunning]);
  if (trace === undefined || trace instanceof Error) return <Missing answer={trace} />;
  const change = async (method: string, rest: string, body: object | undefined, shown?: string): Promise<void> => {
    try {
      const made = await api.send<{ readonly id?: string } | null>(method, path + rest, body);
      show(shown ?? made?.id);
    } catch (failure) {
      setError(String(failure));
    }
  };
  return (
    <>
      <TextForm
        name="Rename to"
        value={name}
        onChange={setName}
        onSubmit={() => void change("PATCH", "", { title: name })}
      />
      <ul>
        {(trace?.prompts ?? []).map(({ number, input = "" }) => (
          <li key={number} dir="auto">
            <b>{number}</b> {input.slice(0, 200)}
            <div class="buttons">
              <button type="button" onClick={() => void change("POST", "/fork", { prompt: number })}>
                Fork after {number}
              </button>
              <button
                type="button"
                class="no"
                disabled={isRunning}
                onClick={() => void change("POST", "/rewind", { prompt: number })}
              >
                Take back from {number}
              </button>
            </div>
          </li>
        ))}
      </ul>
      <Deletion onDelete={() => void change("DELETE", "", undefined, "")} />
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** Asks before the session is gone. */
function Deletion({ onDelete }: { readonly onDelete: () => void }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <div class="buttons">
      {isAsked && (
        <button type="button" onClick={() => setAsked(false)}>
          No, keep it
        </button>
      )}
      <button type="button" class="no" onClick={() => (isAsked ? onDelete() : setAsked(true))}>
        {isAsked ? "Yes, delete it" : "Delete this session"}
      </button>
    </div>
  );
}
