/** The new id of a session is that of another one. */
export class SessionExistsError extends Error {
  override readonly name = "SessionExistsError";

  constructor(id: string) {
    super(`session ${JSON.stringify(id)} is there already; choose another name`);
  }
}
