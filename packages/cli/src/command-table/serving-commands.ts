import type { CommandSpec, OptionSpec } from "../arguments/command-spec.ts";
import { CONTAINMENT_OPTIONS, DATA, MAX_TURNS, MODEL_OPTIONS, SKILLS_DIR, USER } from "../arguments/shared-options.ts";

/** The token of a running server. */
export const SERVER_TOKEN: OptionSpec = {
  name: "token",
  value: "FILE",
  summary: "the file with the server's token, or env:NAME; default: that of your server on the directory",
};

/** The token of a server that is started. */
const OWN_TOKEN: OptionSpec = {
  name: "token",
  value: "FILE",
  summary:
    "the file with the token that requests need, or env:NAME; a missing file is written; default: a new token, which is shown once",
};

/** How a server listens, and who may use it. */
export const SERVER_OPTIONS: readonly OptionSpec[] = [
  { name: "port", value: "N", summary: "the port; default: a free one" },
  { name: "host", value: "ADDRESS", summary: "the address to listen on; default: 127.0.0.1, this machine alone" },
  OWN_TOKEN,
  { name: "open", summary: "open the server's page in your browser: BROWSER, else that of the system" },
  { name: "users", value: "FILE", summary: "a file with a line for each user: name and token" },
  {
    name: "user-header",
    value: "NAME",
    summary: "the header in which a proxy on this machine names the user",
  },
  { name: "allow-host", value: "NAME", isRepeatable: true, summary: "another name of this server; repeatable" },
  {
    name: "cors",
    value: "ORIGIN",
    isRepeatable: true,
    summary: "let pages of this origin use the server; repeatable",
  },
];

/** Commands that offer agents to other programs. */
export const SERVING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "serve",
    positionals: "<dir …>",
    minimum: 1,
    maximum: 100,
    summary: "offer agents to other programs over HTTP",
    group: "run",
    examples: [
      ["mdx-ai serve my-agent", "listen on a free port of this machine; prints the address and a token"],
      ["mdx-ai serve my-agent --open", "open its page in your browser"],
      [
        "mdx-ai serve my-agent other-agent --port 4100 --token ~/.server-token",
        "offer two agents, with a token from a file",
      ],
      ["mdx-ai serve my-agent --host 0.0.0.0 --token env:TOKEN", "listen for other machines, too"],
      ["mdx-ai serve my-agent --users users.txt", "give each user separate sessions"],
      ["mdx-ai serve my-agent --engine restate://127.0.0.1:9070", "share the sessions with other machines"],
    ],
    options: [
      ...SERVER_OPTIONS,
      {
        name: "wait-for-answers",
        value: "SECONDS",
        isValueOptional: true,
        summary: "after SECONDS the answer to a question is no; default: wait without end",
      },
      {
        name: "engine",
        value: "restate://HOST:PORT",
        summary: "run as a worker of the Restate server at this admin address, which keeps the sessions",
      },
      {
        name: "worker-host",
        value: "ADDRESS",
        summary: "with --engine: the address for the engine's calls; default: 127.0.0.1",
      },
      {
        name: "worker-port",
        value: "N",
        summary: "with --engine: the port for the engine's calls; workers on one machine may share it; default: 9080",
      },
      {
        name: "worker-url",
        value: "URL",
        summary: "with --engine: the address at which the server finds the worker, or a balancer before several",
      },
      DATA,
      SKILLS_DIR,
      ...MODEL_OPTIONS,
      MAX_TURNS,
      ...CONTAINMENT_OPTIONS,
    ],
    load: async () => (await import("../commands/serve.ts")).runServe,
  },
  {
    name: "mcp-server",
    positionals: "<dir>",
    minimum: 1,
    maximum: 1,
    summary: "offer an agent to other agents, by the Model Context Protocol on standard input and output or over HTTP",
    group: "run",
    examples: [
      ["mdx-ai mcp-server my-agent", "what another agent starts"],
      ["mdx-ai mcp-server my-agent --http --port 4200 --token ~/.server-token", "listen on this machine"],
    ],
    options: [
      { name: "http", summary: "listen on this machine at /mcp; prints the address and a token" },
      { name: "port", value: "N", summary: "with --http: the port; default: a free one" },
      { ...OWN_TOKEN, summary: `with --http: ${OWN_TOKEN.summary}` },
      DATA,
      USER,
      SKILLS_DIR,
      ...MODEL_OPTIONS,
      MAX_TURNS,
      ...CONTAINMENT_OPTIONS,
    ],
    load: async () => (await import("../commands/mcp-server.ts")).runMcpServer,
  },
  {
    name: "send",
    positionals: "<dir | url> [TEXT]",
    minimum: 1,
    maximum: 2,
    summary: "send a prompt to a running server, and print the answer",
    group: "run",
    examples: [
      ['mdx-ai send my-agent "What is new?"', "ask the agent of the server that runs on this directory"],
      ["git diff | mdx-ai send my-agent -", "read the prompt from standard input"],
      ["mdx-ai send https://agents.example --token ~/.server-token Hello", "ask a server elsewhere"],
    ],
    options: [
      { name: "session", short: "s", value: "ID", summary: 'an existing session; default: "main"' },
      { name: "agent", value: "NAME", summary: "the agent, if the server has several" },
      SERVER_TOKEN,
      { name: "no-wait", summary: "print the prompt's id and exit" },
      { name: "json", summary: "print every event as a line of JSON" },
    ],
    load: async () => (await import("../commands/send.ts")).runSend,
  },
  {
    name: "engine",
    positionals: "<export | import> <dir> <session>",
    minimum: 3,
    maximum: 3,
    summary: "copy a session of a Restate server into an agent's folder, or back",
    group: "look",
    examples: [
      [
        "mdx-ai engine export my-agent 2026-11-29_5f0c --engine restate://127.0.0.1:9070",
        "then sessions, trace and replay read it",
      ],
      ["mdx-ai engine import my-agent main --engine restate://127.0.0.1:9070", "continue a session on many machines"],
    ],
    options: [
      { name: "engine", value: "restate://HOST:PORT", summary: "the admin address of the Restate server" },
      { name: "user", value: "NAME", summary: "the user whose session it is, if the server has users" },
      DATA,
    ],
    load: async () => (await import("../commands/engine.ts")).runEngine,
  },
];
