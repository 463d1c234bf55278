import { useEffect, useRef, useState } from "preact/hooks";
import type { Api, ApiError } from "./api.ts";
import { Call } from "./call.tsx";
import { Markdown } from "./markdown.tsx";
import { type GivenAnswer, QuestionCard } from "./question.tsx";
import { after, type Block, EMPTY, type Timeline } from "./timeline.ts";

interface ConversationProps {
  readonly api: Api;
  /** Of the session, below the API. */
  readonly path: string;
  readonly onFigures: (timeline: Timeline, isConnected: boolean) => void;
}

/** Posts to a path below the session. Shows an error instead of rejecting. */
type Send = (rest: string, body: GivenAnswer | { readonly text?: string }) => Promise<void>;

/** A session: its messages, its questions and the input. */
export function Conversation({ api, path, onFigures }: ConversationProps) {
  const { timeline, isConnected, error, setError } = useTimeline(api, path);
  const end = useFollowedEnd(timeline);
  useEffect(() => onFigures(timeline, isConnected), [timeline, isConnected]);
  const [sent, setSent] = useState<readonly string[]>([]);
  const send: Send = async (rest, body) => {
    try {
      await api.send("POST", `${path}/${rest}`, body);
      setError(undefined);
      if ("text" in body && body.text !== undefined && timeline.isRunning) setSent([...sent, body.text]);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  const taken = timeline.blocks.flatMap((block) => (block.kind === "user" ? [block.text] : []));
  const waiting = timeline.isRunning ? sent.filter((text) => !taken.includes(text)) : [];
  return (
    <main>
      <div class="messages" role="log" aria-label="Conversation" tabIndex={0} ref={end}>
        {timeline.blocks.map((block, index) => (
          <BlockView key={index} block={block} />
        ))}
        {waiting.map((text) => (
          <article key={text} class="user soft" aria-label="Waits for the agent" dir="auto">
            {text}
          </article>
        ))}
        {timeline.blocks.length === 0 && <p class="soft empty">Nothing was said yet. Write below.</p>}
      </div>
      {[...timeline.questions.values()].map((question) => (
        <QuestionCard
          key={question.id}
          question={question}
          onAnswer={(answer) => send(`questions/${encodeURIComponent(question.id)}`, answer)}
        />
      ))}
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <Composer isRunning={timeline.isRunning} send={send} />
    </main>
  );
}

function useTimeline(api: Api, path: string) {
  const [timeline, setTimeline] = useState(EMPTY);
  const [isConnected, setConnected] = useState(true);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    let current = EMPTY;
    let frame = 0;
    // Events that arrive together are drawn once.
    const draw = (): void => {
      frame = 0;
      setTimeline(current);
    };
    const reader = {
      onEvent: (event: Parameters<typeof after>[1]) => {
        current = after(current, event);
        frame ||= requestAnimationFrame(draw);
      },
      onConnection: setConnected,
      onError: (failure: ApiError) => setError(failure.message),
    };
    setTimeline(EMPTY);
    void api.follow(path, reader, leaving.signal);
    return () => {
      leaving.abort();
      cancelAnimationFrame(frame);
    };
  }, [api, path]);
  return { timeline, isConnected, error, setError };
}

/** Keeps the end in view, unless the reader has scrolled up. */
function useFollowedEnd(timeline: Timeline) {
  const element = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const note = (): void => {
      isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < 40;
    };
    current.addEventListener("scroll", note, { passive: true });
    return () => current.removeEventListener("scroll", note);
  }, []);
  useEffect(() => {
    if (isAtEnd.current) element.current?.scrollTo({ top: element.current.scrollHeight });
  }, [timeline]);
  return element;
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "call":
      return (
        <Call call={block}>
          {[...block.agents].map(([session, { name, timeline }]) => (
            <section key={session} class="agent" aria-label={`The agent ${name}`}>
              {timeline.blocks.map((one, index) => (
                <BlockView key={index} block={one} />
              ))}
            </section>
          ))}
        </Call>
      );
    case "note":
      return <p class={block.isBad ? "note bad" : "note"}>{block.text}</p>;
    case "user":
      return (
        <article class="user" aria-label="You" dir="auto">
          {block.text}
          {block.images.map((image, index) => (
            <img key={index} src={image} alt={`Attached ${index + 1}`} />
          ))}
        </article>
      );
    case "answer":
      return (
        <article class="answer" aria-label="The agent" aria-busy={!block.isComplete}>
          {block.thinking !== "" && (
            <details class="thinking">
              <summary>Thoughts</summary>
              <p dir="auto">{block.thinking}</p>
            </details>
          )}
          <Markdown text={block.text} isComplete={block.isComplete} />
        </article>
      );
  }
}

interface ComposerProps {
  readonly isRunning: boolean;
  readonly send: Send;
}

/** The input. Enter sends; while a prompt runs it steers, and Ctrl+Enter queues. */
function Composer({ isRunning, send }: ComposerProps) {
  const [text, setText] = useState("");
  const submit = (rest: string): void => {
    if (text.trim() === "") return;
    setText("");
    void send(rest, { text });
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit(isRunning ? "steer" : "prompts");
      }}
    >
      <textarea
        aria-label="Message"
        rows={Math.min(8, text.split("\n").length)}
        placeholder={
          isRunning ? "Add to the running prompt (Ctrl+Enter: afterwards)" : "Message (Shift+Enter: new line)"
        }
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && isRunning) void send("cancel", {});
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          submit(isRunning && !event.ctrlKey && !event.metaKey ? "steer" : "prompts");
        }}
      />
      {isRunning && (
        <button type="button" onClick={() => void send("cancel", {})}>
          Stop
        </button>
      )}
      <button type="submit">{isRunning ? "Steer" : "Send"}</button>
    </form>
  );
}
