import { expect, test } from "bun:test";
import { parseSource, type Source, sourceText } from "@mdx-ai/directory/sources";

const DIGEST = `sha256:${"a".repeat(64)}`;
const GITHUB = "https://github.com/acme/agents.git";

const SOURCES: readonly (readonly [text: string, source: Source, written?: string])[] = [
  ["github:acme/agents", { type: "git", url: GITHUB }],
  ["github:acme/agents#v1.2", { type: "git", url: GITHUB, ref: "v1.2" }],
  ["github:acme/agents#feature/x:sub/weather", { type: "git", url: GITHUB, ref: "feature/x", path: "sub/weather" }],
  ["github:acme/agents.git#:weather/", { type: "git", url: GITHUB, path: "weather" }, "github:acme/agents#:weather"],
  [
    "https://git.example/a.git#main",
    { type: "git", url: "https://git.example/a.git", ref: "main" },
    "git+https://git.example/a.git#main",
  ],
  [
    "https://github.com/acme/agents/tree/v1/a/b",
    { type: "git", url: GITHUB, ref: "v1", path: "a/b" },
    "github:acme/agents#v1:a/b",
  ],
  ["https://github.com/acme/agents/tree/main", { type: "git", url: GITHUB, ref: "main" }, "github:acme/agents#main"],
  ["git+https://git.example/a.tgz", { type: "git", url: "https://git.example/a.tgz" }],
  ["ssh://git@git.example:22/a", { type: "git", url: "ssh://git@git.example:22/a" }, "git+ssh://git@git.example:22/a"],
  ["git@git.example:acme/a.git#main:b", { type: "git", url: "git@git.example:acme/a.git", ref: "main", path: "b" }],
  [
    "http://localhost:3000/a.git",
    { type: "git", url: "http://localhost:3000/a.git" },
    "git+http://localhost:3000/a.git",
  ],
  ["file:///srv/a.git", { type: "git", url: "/srv/a.git" }, "git+file:///srv/a.git"],
  ["../a.git#main", { type: "git", url: "/home/a.git", ref: "main" }, "git+file:///home/a.git#main"],
  ["git+file:///srv/a", { type: "git", url: "/srv/a" }],
  ["npm:weather", { type: "npm", name: "weather" }],
  ["npm:@acme/weather@^1.2 || 3", { type: "npm", name: "@acme/weather", range: "^1.2 || 3" }],
  [
    "oci://host.example/acme/weather:1.0",
    { type: "oci", host: "host.example", repository: "acme/weather", tag: "1.0" },
  ],
  ["oci://localhost:5000/weather", { type: "oci", host: "localhost:5000", repository: "weather" }],
  [
    `oci://[::1]:5000/a/b-c:1@${DIGEST}`,
    { type: "oci", host: "[::1]:5000", repository: "a/b-c", tag: "1", digest: DIGEST },
  ],
  ["https://example.com/a.tgz?x=1", { type: "archive", location: "https://example.com/a.tgz?x=1" }],
  ["https://example.com/a.tar.gz#:b", { type: "archive", location: "https://example.com/a.tar.gz", path: "b" }],
  ["a.tgz", { type: "archive", location: "/home/me/a.tgz" }, "/home/me/a.tgz"],
  ["/srv/a.tar#:b/c", { type: "archive", location: "/srv/a.tar", path: "b/c" }],
  ["file:///srv/a%20b.tgz", { type: "archive", location: "/srv/a b.tgz" }, "/srv/a b.tgz"],
  ["./weather", { type: "folder", path: "/home/me/weather" }, "/home/me/weather"],
  ["we#ather", { type: "folder", path: "/home/me/we#ather" }, "/home/me/we#ather"],
];

test.each([...SOURCES])("%s is read, and written again", (text, source, written = text) => {
  expect(parseSource(text, "/home/me")).toEqual(source);
  expect(sourceText(source)).toBe(written);
  expect(parseSource(written, "/")).toEqual(source);
});
