import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, type Environment, homeFolder, quoted } from "@mdx-ai/base";
import { findProgram } from "@mdx-ai/base/disk";
import { sourceError } from "./source.ts";

/** What npm's own settings say about registries. */
export interface NpmSettings {
  /** The registry of a package; ends with "/". Throws `DirectoryError` ("source") if the settings have no valid address. */
  registryOf(name: string): URL;
  /** The value of the `authorization` header for an address; undefined if there are no credentials for it. */
  authorizationFor(url: URL): string | undefined;
}

type Values = ReadonlyMap<string, string>;

/**
 * Reads npm's settings: the environment, the project's `.npmrc`, the user's, and that of all users, the first that has a value wins. The
 * project's may choose registries, but has no credentials and no variables: it may belong to a stranger. Runs nothing; never throws.
 */
export function npmSettings(environment: Environment, project?: string): NpmSettings {
  const own = [
    variables(environment),
    readFile(userFile(environment), environment),
    readFile(globalFile(environment), environment),
  ];
  const ofProject = project === undefined ? new Map<string, string>() : readFile(join(project, ".npmrc"), {});
  const [first = new Map<string, string>(), ...others] = own;
  const registries = [first, onlyRegistries(ofProject), ...others];
  const valueIn = (all: readonly Values[], key: string): string | undefined =>
    all.map((values) => values.get(key)).find((value) => value !== undefined && value !== "");
  return {
    registryOf(name) {
      const scope = /^(@[^/]+)\//.exec(name)?.[1];
      const scoped = scope && valueIn(registries, `${scope}:registry`);
      const registry = scoped || valueIn(registries, "registry") || "https://registry.npmjs.org/";
      const url = URL.parse(registry.replace(/\/*$/, "/"));
      if (url === null) throw sourceError(`the registry in npm's settings is not a valid address: ${quoted(registry)}`);
      return url;
    },
    authorizationFor: (url) => authorization(url, (key) => valueIn(own, key)),
  };
}

function variables(environment: Environment): Values {
  return new Map(
    Object.entries(environment).flatMap(([name, value]) => {
      const key = /^npm_config_(.+)$/i.exec(name)?.[1];
      if (key === undefined || value === undefined) return [];
      return [[key.startsWith("//") || key.startsWith("@") ? key : key.toLowerCase(), value] as const];
    }),
  );
}

const setting = (environment: Environment, key: string): string | undefined => variables(environment).get(key);

function userFile(environment: Environment): string | undefined {
  const home = homeFolder(environment);
  return setting(environment, "userconfig") ?? (home && join(home, ".npmrc"));
}

/** Without npm, its prefix is the folder of `bin/node`. */
function globalFile(environment: Environment): string | undefined {
  const named = setting(environment, "globalconfig");
  if (named !== undefined) return named;
  const node = findProgram("node", { environment, outside: [] });
  const prefix = setting(environment, "prefix") ?? (node && dirname(dirname(node)));
  return prefix && join(prefix, "etc", "npmrc");
}

/** The settings of a file; none if it cannot be read. `${NAME}` is a variable. */
function readFile(file: string | undefined, environment: Environment): Values {
  const text = file === undefined ? "" : (attempt(() => readFileSync(file, "utf8")) ?? "");
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const [, key, value] = /^\s*([^;#\s=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, expanded(unquoted(value), environment)] as const];
    }),
  );
}

const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;

/** A variable that is not set stays as it is written, as npm leaves it. */
const expanded = (value: string, environment: Environment): string =>
  value.replace(/\$\{([^}]+)\}/g, (written, name: string) => environment[name.replace(/\?$/, "")] ?? written);

const onlyRegistries = (values: Values): Values =>
  new Map([...values].filter(([key, value]) => /^(?:@[^:]+:)?registry$/.test(key) && !value.includes("${")));

/** Credentials are named by an address without its protocol, of the folder or one above it: `//host/path/:_authToken`. */
function authorization(url: URL, settingOf: (key: string) => string | undefined): string | undefined {
  const parts = url.pathname.split("/").slice(0, -1);
  for (let length = parts.length; length >= 1; length -= 1) {
    const key = `//${url.host}${parts.slice(0, length).join("/")}/:`;
    const token = settingOf(`${key}_authToken`);
    if (token !== undefined) return `Bearer ${token}`;
    const basic = settingOf(`${key}_auth`) ?? basicOf(settingOf(`${key}username`), settingOf(`${key}_password`));
    if (basic !== undefined) return `Basic ${basic}`;
  }
  return undefined;
}

/** npm keeps the password in base64. */
const basicOf = (user: string | undefined, password: string | undefined): string | undefined =>
  user === undefined || password === undefined
    ? undefined
    : Buffer.from(`${user}:${Buffer.from(password, "base64").toString()}`).toString("base64");
