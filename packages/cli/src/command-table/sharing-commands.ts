import type { CommandSpec, OptionSpec } from "../arguments/command-spec.ts";
import { JSON_OUTPUT } from "../arguments/shared-options.ts";

/** Lets an agent be given away although it seems to contain a key. */
export const ALLOW_KEYS: OptionSpec = {
  name: "allow-keys",
  summary: "pack files even if they contain what looks like a key",
};

/** The commands for giving an agent to others, in help order. */
export const SHARING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "pack",
    positionals: "[dir]",
    minimum: 0,
    maximum: 1,
    summary: "write an agent as an archive, an npm package, an OCI artifact or a plugin",
    group: "share",
    examples: [
      ["mdx-ai pack my-agent", "write my-agent.tgz, and print the hash of the agent's files"],
      ["mdx-ai pack my-agent --format npm --as @acme/agent@1.0.0", "a package of npm, which npx runs"],
      ["mdx-ai pack my-agent --format oci --output my-agent.oci.tar", "an image layout, for oras or skopeo"],
      ["mdx-ai pack my-agent --format plugin --output my-plugin", "the folder of a plugin for Claude Code"],
    ],
    options: [
      { name: "format", value: "FORMAT", summary: "tgz (default), npm, oci or plugin" },
      { name: "output", value: "PATH", summary: "the file, which is replaced, or the plugin's folder, which is new" },
      {
        name: "as",
        value: "NAME@VERSION",
        summary: "the name and version in packages; default: those of package.json",
      },
      ALLOW_KEYS,
      JSON_OUTPUT,
    ],
    load: async () => (await import("../commands/pack.ts")).runPack,
  },
  {
    name: "publish",
    positionals: "<dir> <target>",
    minimum: 2,
    maximum: 2,
    summary: "pack an agent and upload it to an npm or OCI registry",
    group: "share",
    examples: [
      ["mdx-ai publish my-agent npm:@acme/agent@1.0.0", "with the registry and the credentials of npm"],
      ["mdx-ai publish my-agent oci://registry.example/acme/agent:1.0", "with the credentials of docker login"],
    ],
    options: [
      { name: "tag", value: "NAME", summary: "npm: the tag of the version; default: latest" },
      { name: "access", value: "WHO", summary: "npm: public or restricted, for a package with a scope" },
      { name: "otp", value: "CODE", summary: "npm: the one-time password of your second factor" },
      ALLOW_KEYS,
      JSON_OUTPUT,
    ],
    load: async () => (await import("../commands/publish.ts")).runPublish,
  },
];
