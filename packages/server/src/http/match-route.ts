import type { Route } from "./route.ts";

/** The routes of a path, each with another method, and the decoded parameters. */
export interface MatchedPath {
  readonly routes: readonly Route[];
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Finds the routes of paths. A parameter is one part of a path. Own code instead of a library such as Hono: routes are data, from which the
 * OpenAPI description and the checks of bodies come too, and what is left for a router is these few lines.
 */
export class RouteTable {
  readonly #paths: readonly (readonly [pattern: RegExp, routes: readonly Route[]])[];

  constructor(routes: readonly Route[]) {
    const paths = Map.groupBy(routes, ({ path }) => path);
    this.#paths = [...paths].map(([path, of]) => [patternOf(path), of]);
  }

  /** No routes if no path matches, or if the path is not valid. */
  match(path: string): MatchedPath {
    for (const [pattern, routes] of this.#paths) {
      const found = pattern.exec(path);
      const parameters = found && decoded(found.groups ?? {});
      if (parameters) return { routes, parameters };
    }
    return { routes: [], parameters: {} };
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);

/** Undefined if a part is not valid. */
function decoded(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, part]) => [name, decodeURIComponent(part)]));
  } catch {
    return undefined;
  }
}
