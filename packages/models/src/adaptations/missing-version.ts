import type { Adaptation, RefusedRequest } from "./adaptation.ts";

/** Statuses of a server that does not know the path. */
const statuses: readonly unknown[] = [404, 405, 501];

/** An interface at a server's root, or below a path without a version. */
const UNVERSIONED = /^(?!.*\/v\d)(.*)(\/(?:chat\/completions|responses))$/;

/** Words of a server that knows the path but not the model. */
const ABOUT_MODEL = /model|deployment|engine/i;

/**
 * Adds `/v1` to the user's address, where nearly all servers have their interface, if the server does not know the path. Undone if that
 * path is not found either.
 */
export class MissingVersion implements Adaptation {
  #isAdded = false;
  #isTried = false;

  learn({ status, said, url }: RefusedRequest): string | undefined {
    if (!(statuses.includes(status) && !ABOUT_MODEL.test(said)) && !/unexpected endpoint/i.test(said)) return undefined;
    if (this.#isTried || !UNVERSIONED.test(pathOf(url))) {
      this.#isAdded = false;
      return undefined;
    }
    this.#isTried = true;
    this.#isAdded = true;
    return `the server has nothing at ${pathOf(url)}, so requests go below /v1 from now on`;
  }

  url(url: string): string {
    const [, base, path] = UNVERSIONED.exec(pathOf(url)) ?? [];
    if (!this.#isAdded || path === undefined) return url;
    const versioned = new URL(url);
    versioned.pathname = `${base}/v1${path}`;
    return versioned.href;
  }
}

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? "";
