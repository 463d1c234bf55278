import type { Adaptation, RefusedRequest } from "./adaptation.ts";

/** Statuses of a server that knows no such path. */
const statuses: readonly unknown[] = [404, 405, 501];

/** An interface at the top of a server, or below a path that names no version. */
const UNVERSIONED = /^(?!.*\/v\d)(.*)(\/(?:chat\/completions|responses))$/;

/** What a server says that has the path, and not the model. */
const ABOUT_MODEL = /model|deployment|engine/i;

/**
 * Asks below `/v1`, where nearly all servers have their interface, if the address that the user wrote lacks it and the server
 * knows no such path. If that is not found either, the address is as it was.
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
    return `the server has nothing at ${pathOf(url)}, so that it is asked below /v1 from now on`;
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
