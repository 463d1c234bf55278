import { PLACEHOLDER_TIME } from "@mdx-ai/parser";
import { ABSENT_PLACES } from "./absent-places.ts";
import { LastWill } from "./last-will.ts";

/** What the janitor of an agent directory must know. All absolute. */
export interface JanitorPlaces {
  readonly agentDir: string;
  readonly lock: string;
  /** Of all markers of this agent directory, and the own one. */
  readonly prefix: string;
  readonly marker: string;
  /** The control group of the processes, to be removed; "" where there is none. */
  readonly group: string;
}

/**
 * Removes the placeholders that a process held, unless another living one holds them, too. The same that `MountPoints` does,
 * for when it cannot.
 */
const SCRIPT = `
for try in 1 2 3 4 5 6 7 8 9; do
  [ -d "$5" ] || break
  find "$5" -depth -type d -delete 2>/dev/null || sleep 0.05
done
[ -e "$4" ] || exit 0
lock=$2
tries=0
until mkdir "$lock" 2>/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -gt 300 ] && break
  sleep 0.01
done
trap 'rmdir "$lock"' EXIT
rm -f "$4"
for marker in "$3"*; do
  [ -e "$marker" ] || continue
  pid=\${marker#"$3"}
  if [ -d "/proc/\${pid%%-*}" ]; then exit 0; fi
  rm -f "$marker"
done
cd "$1" || exit 0
shift 5
left=
for path do
  [ -L "$path" ] || [ "$(stat -c %Y "$path" 2>/dev/null)" != ${PLACEHOLDER_TIME} ] || left="$path $left"
done
for path in $left; do
  if [ -d "$path" ]; then rmdir "$path"; else rm -f "$path"; fi
done 2>/dev/null
`;

/**
 * Cleans up after a process that is killed. Its sandboxes are ended, too: a bubblewrap whose parent dies while it begins may
 * wait for ever.
 */
export function openJanitor({ agentDir, lock, prefix, marker, group }: JanitorPlaces): LastWill {
  const absent = ABSENT_PLACES.map(({ path }) => path);
  return new LastWill({ name: "mdx-ai", script: SCRIPT, args: [agentDir, lock, prefix, marker, group, ...absent] });
}
