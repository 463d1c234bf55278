import { Steering } from "../loop/steering.ts";

/**
 * What the user said while a prompt was recorded. It is delivered where the recording says so and nowhere else: what came
 * too late then comes too late again.
 */
export class RecordedSteering extends Steering {
  override get isWaiting(): boolean {
    return false;
  }
}
