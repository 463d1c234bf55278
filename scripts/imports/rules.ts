import type { Import } from "./imports-of.ts";

/** A direction that imports must not take. */
export interface Rule {
  readonly name: string;
  readonly because: string;
  forbids(one: Import): boolean;
}

/** Packages, each with those of the house that it may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  parser: [],
  models: [],
  runtime: ["models", "parser"],
  directory: ["runtime", "models", "parser"],
  cli: ["directory", "runtime", "models", "parser"],
};

/** Rooms of the runtime, folders or single files, each with the siblings that it may import beside `types`. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  types: [],
  record: [],
  "json-value": ["attempt"],
  "error-message": [],
  program: [],
  "content-text": [],
  "step-names": [],
  "step-kinds": [],
  clock: [],
  "warn-once": [],
  abort: [],
  attempt: [],
  turns: [],
  layout: [],
  files: ["attempt", "error-message"],
  lock: ["files", "attempt", "record", "json-value"],
  imports: ["files", "attempt", "json-value"],
  redaction: ["attempt", "record", "json-value"],
  journal: ["redaction", "files", "record", "json-value", "step-names", "error-message"],
  damage: ["history", "loop", "journal", "files", "record", "content-text", "step-names"],
  spending: ["files", "record", "json-value", "error-message", "warn-once"],
  context: ["record", "content-text", "error-message"],
  loop: ["record", "step-names", "spending", "context", "content-text", "error-message"],
  hosts: ["journal", "loop", "record", "content-text", "step-kinds", "step-names"],
  history: ["hosts", "journal", "loop", "context", "spending", "record", "step-kinds", "step-names"],
  session: [
    "history",
    "hosts",
    "loop",
    "redaction",
    "log",
    "journal",
    "damage",
    "lock",
    "files",
    "attempt",
    "layout",
    "record",
    "json-value",
    "content-text",
    "step-names",
    "context",
    "spending",
    "error-message",
  ],
  trace: ["history", "session", "spending", "loop", "context", "content-text"],
  log: ["redaction", "files", "attempt", "layout", "turns", "warn-once", "record", "json-value"],
  state: ["log", "files", "layout", "record", "json-value"],
  memory: ["sandbox", "redaction", "lock", "log", "files", "layout", "turns", "record", "json-value"],
  skills: ["files", "attempt", "error-message"],
  prompt: [],
  permissions: ["files", "attempt", "layout", "record", "json-value", "error-message", "abort", "turns"],
  sandbox: ["program", "permissions", "imports", "files", "attempt", "error-message", "layout", "record", "json-value"],
  tools: ["sandbox", "redaction", "files", "attempt", "record", "error-message", "abort"],
  "tool-host": [
    "program",
    "sandbox",
    "imports",
    "redaction",
    "tools",
    "files",
    "attempt",
    "layout",
    "record",
    "content-text",
  ],
  modules: ["log", "imports", "files", "attempt", "layout", "record", "abort"],
  heartbeat: ["log", "files", "attempt", "layout", "error-message"],
  telemetry: ["redaction", "warn-once"],
};

/** What puts the rooms together, for an agent that lives or one that was recorded, and what hands them out. */
const ABOVE_ROOMS: readonly string[] = ["agent", "replay", "index"];

/** Who may read the names of steps; all others read what `history` makes of them. */
const STEP_READERS: readonly (string | undefined)[] = ["history", "hosts"];

/** The files of the parser that may touch the disk. */
const DISK_READERS: readonly string[] = [
  "packages/parser/src/read-agent-files.ts",
  "packages/parser/src/definition-cache.ts",
  "packages/parser/src/prune-definitions.ts",
];

const DISK = /^(node:)?(fs|child_process|net|http|https|worker_threads|sqlite)(\/|$)|^bun(:|$)/;
const BUILTIN = /^(node|bun):|^(bun|fs|path|os|crypto|process|child_process)(\/|$)/;

const packageOf = (path: string): string | undefined => /^packages\/([^/]+)/.exec(path)?.[1];
const roomOf = (path: string): string | undefined => /^packages\/runtime\/src\/([^/.]+)/.exec(path)?.[1];
const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

export const RULES: readonly Rule[] = [
  {
    name: "packages-import-below",
    because: "imports run cli -> directory -> runtime -> models, parser",
    forbids: ({ from, to }) => {
      const [importer, imported] = [packageOf(from), packageOf(to)];
      if (importer === undefined || imported === undefined || importer === imported) return false;
      return !(PACKAGES[importer] ?? []).includes(imported);
    },
  },
  {
    name: "rooms-import-below",
    because:
      "a room of the runtime imports types and the siblings that the table in scripts/imports/rules.ts grants it",
    forbids: ({ from, to }) => {
      const [importer, imported] = [roomOf(from), roomOf(to)];
      if (importer === undefined || imported === undefined || importer === imported) return false;
      if (ABOVE_ROOMS.includes(importer)) return false;
      return imported !== "types" && !(ROOMS[importer] ?? []).includes(imported);
    },
  },
  {
    name: "rooms-in-table",
    because: "a new room of the runtime enters the table in scripts/imports/rules.ts",
    forbids: ({ from }) => ![undefined, ...ABOVE_ROOMS, ...Object.keys(ROOMS)].includes(roomOf(from)),
  },
  {
    name: "history-reads-steps",
    because: "what a journal says is read in the room history alone, and by the hosts that repeat it",
    forbids: ({ from, to }) =>
      to === "packages/runtime/src/step-kinds.ts" && from !== to && !STEP_READERS.includes(roomOf(from)),
  },
  {
    name: "loop-knows-steps",
    because: "the loop touches neither the disk nor any other part of the outside",
    forbids: ({ from, to }) => isIn(from, "packages/runtime/src/loop") && BUILTIN.test(to),
  },
  {
    name: "parser-is-pure",
    because: "only what reads an agent directory and the cache of its definitions touches the disk",
    forbids: ({ from, to }) => isIn(from, "packages/parser") && DISK.test(to) && !DISK_READERS.includes(from),
  },
  {
    name: "no-exit-import",
    because: "the linter, which lets main.ts alone end the process, would not see an exit imported from node:process",
    forbids: ({ to }) => /^(node:)?process$/.test(to),
  },
  {
    name: "nothing-from-outside",
    because: "packages import no tests, scripts, benchmarks or examples",
    forbids: ({ to }) => /^(test|scripts|bench|examples)\//.test(to),
  },
];
