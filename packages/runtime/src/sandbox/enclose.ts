import { lstatSync } from "node:fs";
import { agentMounts } from "./agent-mounts.ts";
import { limitedCommand } from "./limited-command.ts";
import { mountArguments } from "./mounts.ts";
import type { Enclosure, EnclosureRequest, SandboxOptions } from "./open-sandbox.ts";
import { MOST_PROCESSES } from "./process-limits.ts";
import { programPlaces } from "./program-places.ts";
import type { SandboxParts } from "./sandbox-parts.ts";
import { surroundingMounts } from "./surrounding-mounts.ts";

/** What all sandboxes have in common. */
const ISOLATION =
  "--dev /dev --proc /proc --unshare-pid --unshare-ipc --unshare-uts --new-session --die-with-parent --cap-drop ALL".split(
    " ",
  );

/** What the administrator needs to work with the files of other users; none of it leads out of a sandbox. */
const OF_THE_ADMINISTRATOR = ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN", "CAP_FSETID"].flatMap((name) => [
  "--cap-add",
  name,
]);

/** In the sandbox's own namespace of users, where its processes alone are counted. */
const BOUND = ["/bin/sh", "-c", `ulimit -u ${MOST_PROCESSES} 2>/dev/null; exec "$@"`, "sh"];

const TEMPORARY = ["TMPDIR", "TMP", "TEMP"];

/** Makes a sandbox for one command. Throws what the file system says. */
export function encloseIn(parts: SandboxParts, request: EnclosureRequest): Enclosure {
  const hold = parts.hold();
  try {
    const { options, agentDir, emptyFile, program, limit } = parts;
    const { cwd, environment, definingFiles = [] } = options;
    const ofAgent = agentMounts({ agentDir, definingFiles });
    const around = surroundingMounts({
      ...{ agentDir, agentPath: options.agentDir, cwd, environment },
      ...{ program: programPlaces(), emptyFile },
    });
    const mounts = new Map([...ofAgent, ...around]).set(agentDir, ofAgent.get(agentDir) ?? { kind: "read-only" });
    const isAdministrator = process.getuid?.() === 0;
    const bubblewrap = [
      ...[program, "--ro-bind", "/", "/", ...mountArguments(mounts), ...ISOLATION],
      ...(isAdministrator ? OF_THE_ADMINISTRATOR : []),
      ...(isCutOff(request, options) ? ["--unshare-net"] : []),
      ...["--", ...(isAdministrator ? [] : BOUND)],
    ];
    const { kibibytes } = request;
    const { entrance } = limit;
    const stamp = stampOf(ofAgent.keys());
    return {
      command: (command) => limitedCommand([...bubblewrap, ...command], { kibibytes, entrance }),
      environment: Object.fromEntries(TEMPORARY.filter((name) => environment[name]).map((name) => [name, "/tmp"])),
      isCurrent: () => stampOf(ofAgent.keys()) === stamp,
      release: hold.release,
    };
  } catch (error) {
    hold.release();
    throw error;
  }
}

function isCutOff({ purpose }: EnclosureRequest, { policy, toolNetwork }: SandboxOptions): boolean {
  if (purpose === "shell") return policy.network !== "all";
  return toolNetwork === "none" || (purpose !== "prose" && purpose.network !== undefined);
}

/** Tells the files that stand at some places from all others that may come to stand there. */
function stampOf(places: Iterable<string>): string {
  return [...places].map((place) => lstatSync(place, { throwIfNoEntry: false })?.ino ?? 0).join();
}
