import type { Question } from "@mdx-ai/loop";
import { useState } from "preact/hooks";
import { Change, subjectOf } from "./call.tsx";

/** An answer: its words, and with `no` a reason for the model. */
export interface GivenAnswer {
  readonly answer: string | readonly string[];
  readonly reason?: string;
}

interface QuestionProps {
  readonly question: Question;
  readonly onAnswer: (answer: GivenAnswer) => void;
}

/** An open question, with all that decides it. Its buttons begin with Yes or Allow, and No or Deny. */
export function QuestionCard({ question, onAnswer }: QuestionProps) {
  return (
    <section class="question" aria-label="A question to you">
      {question.kind === "approval" && <Approval {...{ question, onAnswer }} />}
      {question.kind === "budget" && <Budget {...{ question, onAnswer }} />}
      {question.kind === "elicitation" && <Elicitation {...{ question, onAnswer }} />}
      {question.kind === "sign_in" && (
        <>
          <h2>Sign in to {question.server}</h2>
          <Address url={question.url} />
          <div class="buttons">
            <button type="button" onClick={() => onAnswer({ answer: "no" })}>
              No, stop waiting
            </button>
          </div>
        </>
      )}
      {question.deadline !== undefined && (
        <p class="soft">Without an answer until {new Date(question.deadline).toLocaleString()} it is no.</p>
      )}
    </section>
  );
}

type Of<Kind extends Question["kind"]> = QuestionProps & { readonly question: Extract<Question, { kind: Kind }> };

function Approval({ question: { request }, onAnswer }: Of<"approval">) {
  const [reason, setReason] = useState("");
  const { toolName, args, label, access, pattern, prefix, offersEdits } = request;
  const choices: readonly (readonly [string, string])[] = [
    ["yes", "Allow once"],
    ["session", "Allow in this session"],
    ...(prefix === undefined ? [] : [["prefix", `Allow ${prefix}`] as const]),
    ...(offersEdits ? [["edits", "Allow all edits"] as const] : []),
    ["always", "Allow always"],
  ];
  return (
    <>
      <h2>{toolName} asks</h2>
      <pre tabIndex={0}>
        {label === undefined ? "" : `${label.verb} `}
        {access.kind === "sandbox" ? JSON.stringify(access.wanted) : subjectOf(args)}
      </pre>
      <Change args={args} />
      <details>
        <summary>Arguments</summary>
        <pre tabIndex={0}>{JSON.stringify(args, undefined, 2)}</pre>
      </details>
      <p class="soft">
        Why: {request.reason}. “This session” and “always” allow <code>{pattern}</code>.
      </p>
      <div class="buttons">
        {choices.map(([answer, words]) => (
          <button type="button" key={answer} onClick={() => onAnswer({ answer })}>
            {words}
          </button>
        ))}
      </div>
      <form
        class="buttons"
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer({ answer: "no", ...(reason.trim() !== "" && { reason: reason.trim() }) });
        }}
      >
        <input
          aria-label="What the model should know if you deny it"
          placeholder="why not (the model reads it)"
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        <button type="submit" class="no">
          Deny
        </button>
      </form>
    </>
  );
}

function Budget({ question: { limit, spent, value, adds }, onAnswer }: Of<"budget">) {
  const amount = (count: number): string => (limit.endsWith("usd") ? `$${count.toFixed(2)}` : count.toLocaleString());
  return (
    <>
      <h2>The limit is reached</h2>
      <p>
        <code>limits.{limit}</code> is {amount(value)}, and {amount(spent)} is spent.
      </p>
      <div class="buttons">
        <button type="button" onClick={() => onAnswer({ answer: "yes" })}>
          Yes, allow {amount(adds)} more
        </button>
        <button type="button" class="no" onClick={() => onAnswer({ answer: "no" })}>
          No, stop
        </button>
      </div>
    </>
  );
}

function Elicitation({ question: { server, request }, onAnswer }: Of<"elicitation">) {
  const no = (
    <button type="button" class="no" onClick={() => onAnswer({ answer: "no" })}>
      No
    </button>
  );
  if (request.type === "url") {
    return (
      <>
        <h2>{server} asks you to open an address</h2>
        <p>{request.message}</p>
        <Address url={request.url} />
        <div class="buttons">
          <button type="button" onClick={() => onAnswer({ answer: "yes" })}>
            Yes, I opened it
          </button>
          {no}
        </div>
      </>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ answer: wordsOf(new FormData(event.currentTarget)) });
      }}
    >
      <h2>{server} asks</h2>
      <p>{request.message}</p>
      {Object.entries(propertiesOf(request.schema)).map(([name, property]) => (
        <Field key={name} {...{ name, property }} />
      ))}
      <div class="buttons">
        <button type="submit">Yes, send</button>
        {no}
      </div>
    </form>
  );
}

type Property = Readonly<Record<string, unknown>>;

const propertiesOf = (schema: Property): Readonly<Record<string, Property>> => Object(schema["properties"]);

function Field({ name, property }: { readonly name: string; readonly property: Property }) {
  const { title, description, type, enum: choices, default: value } = property;
  const id = `field-${name}`;
  const options = Array.isArray(choices) ? choices.map(String) : type === "boolean" ? ["false", "true"] : [];
  return (
    <div class="field">
      <label for={id}>{typeof title === "string" ? title : name}</label>
      {typeof description === "string" && <span class="soft"> {description}</span>}
      {options.length === 0 ? (
        <input id={id} name={name} inputMode={type === "string" ? "text" : "decimal"} value={String(value ?? "")} />
      ) : (
        <select id={id} name={name}>
          {options.map((option) => (
            <option key={option} selected={option === String(value)}>
              {option}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

/** The values of a form as `name=value`, which the server reads by the schema. Empty ones are left out. */
const wordsOf = (form: FormData): readonly string[] =>
  [...form].filter(([, value]) => value !== "").map(([name, value]) => `${name}=${String(value)}`);

function Address({ url }: { readonly url: string }) {
  if (!/^https?:\/\//i.test(url)) return <pre tabIndex={0}>{url}</pre>;
  return (
    <p>
      <a href={url} target="_blank" rel="noopener noreferrer">
        {url}
      </a>
    </p>
  );
}
