/** Kills a process that leads its own group, and all that it started in it. A group that is gone already is all right. */
export function killGroup(leader: number): void {
  if (leader <= 1) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // No such group: it ended by itself.
  }
}
