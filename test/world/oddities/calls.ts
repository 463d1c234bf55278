import type { Expected, Oddity } from "../oddity.ts";
import { call, chat, finish, named } from "../wire-bodies.ts";

/** An answer that calls one tool with these arguments, and one that is over. */
const calls = (name: string, args: unknown): readonly string[] => [
  chat(call(0, named("c1", name, JSON.stringify(args))), finish("tool_calls")),
];

const NULLS = "https://github.com/CodeWithCJ/SparkyFitness/issues/1540";
const TEXTS = "https://github.com/anomalyco/opencode/issues/7512";
const NAMES = "https://github.com/pydantic/pydantic-ai/issues/7143";
const EDITS = "https://github.com/openclaw/openclaw/pull/42580";

type Row = Omit<Oddity, "wire">;

/** A call that runs, whatever it looks like. */
const runs = (name: string, seen: string, tool: string, args: unknown, expected: Expected = {}): Row => ({
  ...{ name, seen, replies: calls(tool, args) },
  expected: { exit: 0, failed: [], ...expected },
});

/** A call that is answered with an error that says so much. */
const refused = (name: string, seen: string, tool: string, args: unknown, ...says: readonly string[]): Row => ({
  ...{ name, seen, replies: calls(tool, args) },
  expected: { exit: 0, ran: [], says },
});

const read = { ran: ["read_file"], says: ["alpha"] } as const;

const values: readonly Row[] = [
  runs("null for what may be left out", NULLS, "read_file", { path: "a.md", offset: null, limit: null }, read),
  runs("a number as a text", TEXTS, "read_file", { path: "a.md", offset: "1", limit: "20" }, read),
  runs("a number with a fraction of nothing", TEXTS, "read_file", { path: "a.md", limit: 20.0 }, read),
  runs("an offset of 0 is the start", TEXTS, "read_file", { path: "a.md", offset: 0 }, read),
  runs("a number as a text with blanks", TEXTS, "read_file", { path: "a.md", limit: " 20 " }, read),
  refused("a text that is no number", TEXTS, "read_file", { path: "a.md", limit: "many" }, "limit"),
  refused("1.5 for a whole number", TEXTS, "read_file", { path: "a.md", limit: "1.5" }, "limit"),
  runs(
    "true as a text",
    TEXTS,
    "edit_file",
    { path: "a.md", edits: [{ old: "alpha", new: "beta", all: "true" }] },
    {
      files: { "a.md": "beta\n" },
    },
  ),
  runs("`timeout` as a text", TEXTS, "bash", { command: "echo hi", timeout: "20" }, { ran: ["bash"] }),
  refused(
    "milliseconds for a timeout: the error says seconds",
    "https://github.com/anomalyco/opencode/issues/7512",
    "bash",
    { command: "echo hi", timeout: 60000 },
    "3600",
    "seconds",
  ),
  runs(
    "an optional parameter of null in a shell",
    NULLS,
    "bash",
    { command: "echo hi", timeout: null },
    { ran: ["bash"] },
  ),
  refused("null for what is needed", NULLS, "read_file", { path: null }, "path"),
  runs("no arguments but those that are null", NULLS, "list_files", { path: null }, { ran: ["list_files"] }),
];

const unknown: readonly Row[] = [
  refused(
    "an unknown parameter with a close name",
    "https://github.com/LionSR/TeXRA/pull/2337",
    "list_files",
    { pth: "sub" },
    "pth",
    "path",
  ),
  refused("an unknown parameter beside a right one", EDITS, "read_file", { path: "a.md", lines: 3 }, "lines"),
  refused("a needed parameter under a wrong name shows a right call", EDITS, "read_file", { document: "a.md" }, "path"),
];

const hello = { "a.md": "beta\n" } as const;

const edits: readonly Row[] = [
  runs(
    "edits as one object",
    EDITS,
    "edit_file",
    { path: "a.md", edits: { old: "alpha", new: "beta" } },
    { files: hello },
  ),
  runs(
    "edits as a JSON text",
    "https://github.com/openclaw/openclaw/pull/96922",
    "edit_file",
    { path: "a.md", edits: '[{"old":"alpha","new":"beta"}]' },
    { files: hello },
  ),
  runs(
    "`old_string` and `new_string` at the root",
    EDITS,
    "edit_file",
    { path: "a.md", old_string: "alpha", new_string: "beta" },
    { files: hello },
  ),
  runs(
    "`oldText` and `newText` at the root",
    EDITS,
    "edit_file",
    { path: "a.md", oldText: "alpha", newText: "beta" },
    { files: hello },
  ),
  runs(
    "`old_text` and `new_text` in a list",
    EDITS,
    "edit_file",
    { path: "a.md", edits: [{ old_text: "alpha", new_text: "beta" }] },
    { files: hello },
  ),
  runs(
    "`file_path`, `old_string` and `new_string` of Claude Code",
    "https://github.com/google-gemini/gemini-cli/pull/282",
    "edit_file",
    { file_path: "a.md", old_string: "alpha", new_string: "beta" },
    { files: hello },
  ),
  runs(
    "`file_path` to read",
    "https://github.com/google-gemini/gemini-cli/pull/282",
    "read_file",
    { file_path: "a.md" },
    read,
  ),
  runs(
    "`replace_all` of Claude Code",
    "https://github.com/google-gemini/gemini-cli/pull/282",
    "edit_file",
    { file_path: "b.md", old_string: "x", new_string: "y", replace_all: true },
    {},
  ),
  refused(
    "both names of one text, which differ",
    EDITS,
    "edit_file",
    { path: "a.md", edits: [{ old: "alpha", old_string: "other", new: "beta" }] },
    "old",
  ),
].map((row) =>
  row.name.startsWith("`replace_all`")
    ? { ...row, files: { "b.md": "x x\n" }, expected: { ...row.expected, files: { "b.md": "y y\n" } } }
    : row,
);

const toolNames: readonly Row[] = [
  ...(
    [
      "read_file<|channel|>commentary",
      "read_file<|channel|>json",
      "functions.read_file",
      "functions/read_file",
      "default_api.read_file",
      "Read_File",
      "readFile",
      "read-file",
      " read_file ",
      "read_file\n",
      "tool:read_file",
      "read_file:0",
      "functions.read_file:0",
    ] as const
  ).map((name) => runs(`the name ${JSON.stringify(name)}`, NAMES, name, { path: "a.md" }, read)),
  refused("a name that leads nowhere shows the closest", NAMES, "read_fil", { path: "a.md" }, "read_file"),
  {
    ...refused("a denied tool stays denied under another name", NAMES, "functions.bash", { command: "touch x" }),
    flags: ["--deny", "bash"],
    expected: { ran: [], failed: ["bash"] },
  },
];

const tools: readonly unknown[] = [
  {
    name: "find",
    inputSchema: {
      ...{ type: "object", required: ["query"] },
      properties: {
        query: { type: "string" },
        country: { type: "string" },
        count: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
        maybe: { type: ["string", "null"] },
      },
    },
  },
];

const FIND = "mcp_odd_find";

const mcp: readonly Row[] = [
  runs(
    "null for what may be left out does not reach an MCP server",
    "https://github.com/danny-avila/LibreChat/pull/11905",
    FIND,
    { query: "q", country: null },
    {
      ran: ["mcp.odd.find"],
      says: ['{\\"query\\":\\"q\\"}'],
    },
  ),
  runs(
    "null stays where the schema has it",
    "https://github.com/anthropics/claude-code/issues/95239",
    FIND,
    { query: "q", maybe: null },
    {
      says: ['\\"maybe\\":null'],
    },
  ),
  runs(
    "a number as a text for an MCP server",
    "https://github.com/NousResearch/hermes-agent/pull/5265",
    FIND,
    { query: "q", count: "42" },
    {
      says: ['\\"count\\":42'],
    },
  ),
  runs(
    "a list as a JSON text for an MCP server",
    "https://github.com/openclaw/openclaw/pull/96922",
    FIND,
    { query: "q", tags: '["a","b"]' },
    {
      says: ['\\"tags\\":[\\"a\\",\\"b\\"]'],
    },
  ),
  runs(
    "digits where a text is wanted stay a text",
    "https://github.com/NousResearch/hermes-agent/pull/5265",
    FIND,
    { query: "42" },
    {
      says: ['\\"query\\":\\"42\\"'],
    },
  ),
  refused(
    "what is no whole number for an MCP server",
    "https://github.com/NousResearch/hermes-agent/pull/5265",
    FIND,
    { query: "q", count: "3.14" },
    'parameter \\"count\\" must be integer',
  ),
].map((row) => ({ ...row, tools }));

/** Calls as models make them. */
export const oddCalls: readonly Oddity[] = [...values, ...unknown, ...edits, ...toolNames, ...mcp].map((row) => ({
  ...row,
  wire: "openai",
  settings: "builtins: [coding]",
}));
