import { describe, expect, test } from "bun:test";
import { unpinnedCommand } from "./pinned-command.ts";

const unpinned = (line: string) => {
  const [command = "", ...args] = line.split(" ").map((word) => word.replaceAll("_", " "));
  const found = unpinnedCommand({ command, args });
  return found && { word: found.word, pinned: found.pinned() };
};

const DIGEST = "0".repeat(64);
const COMMIT = "0".repeat(40);

describe("the command of a server", () => {
  test.each([
    ["npx x@latest", "x@latest", "x@VERSION"],
    ["npx -y @acme/x", "@acme/x", "@acme/x@VERSION"],
    ["npx --yes @acme/x@^1.2.0 --port 1", "@acme/x@^1.2.0", "@acme/x@VERSION"],
    ["npx -y x@1.2", "x@1.2", "x@VERSION"],
    ["npx -p x@1.2.3 -p y cmd", "y", "y@VERSION"],
    ["/usr/bin/npx --package=x cmd", "x", "x@VERSION"],
    ["npm exec -- x", "x", "x@VERSION"],
    ["bunx x", "x", "x@VERSION"],
    ["bun x y", "y", "y@VERSION"],
    ["pnpm dlx x", "x", "x@VERSION"],
    ["env A=1 npx x", "x", "x@VERSION"],
    ["sh -c exec_npx_-y_x@latest_--flag", "x@latest", "x@VERSION"],
    ["npx -y github:acme/x", "github:acme/x", "github:acme/x@VERSION"],
    ["deno run -A npm:x", "npm:x", "npm:x@VERSION"],
    ["uvx x", "x", "x==VERSION"],
    ["uvx x@latest", "x@latest", "x==VERSION"],
    ["uvx --from x>=1 cmd", "x>=1", "x==VERSION"],
    ["uvx --with y x==1.0", "y", "y==VERSION"],
    ["uv tool run x", "x", "x==VERSION"],
    ["pipx run x", "x", "x==VERSION"],
    ["npm -y exec x", "x", "x@VERSION"],
    ["npm --prefix lib exec --yes -- @acme/x@next", "@acme/x@next", "@acme/x@VERSION"],
    ["npm x x@1", "x@1", "x@VERSION"],
    ["pnpm --silent dlx x", "x", "x@VERSION"],
    ["pnpx x", "x", "x@VERSION"],
    ["yarn dlx -p x cmd", "x", "x@VERSION"],
    ["uv run --with x server.py", "x", "x==VERSION"],
    ["uv --directory lib run --with=x>=1 server.py", "x>=1", "x==VERSION"],
    ["pipx run --spec x cmd", "x", "x==VERSION"],
    ["go run example.com/x@latest", "example.com/x@latest", "example.com/x@vVERSION"],
    ["docker container run acme/x", "acme/x", "acme/x@sha256:DIGEST"],
    ["docker --context c run acme/x", "acme/x", "acme/x@sha256:DIGEST"],
    ["podman run acme/x:latest", "acme/x:latest", "acme/x@sha256:DIGEST"],
    ["docker run -i --rm -e KEY acme/x", "acme/x", "acme/x@sha256:DIGEST"],
    ["docker run -i acme/x:1.2", "acme/x:1.2", "acme/x@sha256:DIGEST"],
  ])("%s is not pinned: %s", (line, word, pinned) => {
    expect(unpinned(line)).toStrictEqual({ word, pinned });
  });

  test.each([
    "npx -y @acme/x@1.2.3 --dir @latest",
    "npx x@1.2.3-beta.1",
    `npx -y github:acme/x#${COMMIT}`,
    "npx ./local",
    "bunx --bun x@1.2.3",
    "deno run -A server.ts",
    "deno run npm:x@1.2.3",
    "uvx x==1.2",
    "uvx x@1.2.3",
    "uvx --from x==1.2.3 cmd",
    "uv run server.py",
    `docker run -i -e KEY acme/x@sha256:${DIGEST} npx`,
    "npm -y exec x@1.2.3",
    "npm run start",
    "uv run --with x==1.2 server.py",
    "go run ./cmd/x",
    "go run example.com/x@v1.2.3",
    `docker container run acme/x@sha256:${DIGEST}`,
    "docker compose up",
    "node server.js",
    "python -m server",
    "bash {baseDir}/run.sh",
  ])("%s is pinned, or runs what is there", (line) => {
    expect(unpinned(line)).toBeUndefined();
  });
});
