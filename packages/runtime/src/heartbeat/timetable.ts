import type { Appointment } from "./appointment.ts";
import { nextTime } from "./next-time.ts";

/** How far back the clock must go before times of day are reckoned anew; less would only let tasks run twice. */
const GREAT_JUMP = 3_600_000;

interface Entry {
  readonly appointment: Appointment;
  /** Milliseconds since 1970. */
  due: number;
}

/**
 * When each appointment is due. All times are milliseconds since 1970. However many times of an appointment went by (the
 * machine slept, a wake took long), it is due once. Throws `ScheduleError` only when it is made.
 */
export class Timetable {
  readonly #entries: readonly Entry[];
  readonly #timezone: string | undefined;
  #lastLook: number;

  constructor(appointments: readonly Appointment[], now: number, timezone: string | undefined) {
    this.#timezone = timezone;
    this.#lastLook = now;
    this.#entries = appointments.map((appointment) => ({
      appointment,
      due: nextTime(appointment.time, now, timezone),
    }));
  }

  /** When the next appointment is due; infinite without any. */
  get next(): number {
    return Math.min(...this.#entries.map(({ due }) => due));
  }

  /** Takes what is due, which then waits for its next time. */
  take(now: number): readonly Appointment[] {
    this.#noticeJump(now);
    const due = this.#entries.filter((entry) => entry.due <= now);
    for (const entry of due) this.#moveOn(entry, now);
    return due.map(({ appointment }) => appointment);
  }

  /** To be told when the wake for `taken` has ended: an interval that its own wake outlasted starts anew. */
  finish(taken: readonly Appointment[], now: number): void {
    for (const entry of this.#entries) {
      if (entry.appointment.time.type !== "interval" || entry.due > now || !taken.includes(entry.appointment)) continue;
      entry.due = nextTime(entry.appointment.time, now, this.#timezone);
    }
  }

  /** An interval keeps its pace; when it has fallen behind, it counts from now. */
  #moveOn(entry: Entry, now: number): void {
    const { time } = entry.appointment;
    const paced = time.type === "interval" ? nextTime(time, entry.due, this.#timezone) : now;
    entry.due = paced > now ? paced : nextTime(time, now, this.#timezone);
  }

  /** After the clock was set back, nothing waits longer than it would have to from now. */
  #noticeJump(now: number): void {
    const isGreat = now < this.#lastLook - GREAT_JUMP;
    this.#lastLook = now;
    for (const entry of this.#entries) {
      const { time } = entry.appointment;
      if (isGreat || time.type === "interval") entry.due = Math.min(entry.due, nextTime(time, now, this.#timezone));
    }
  }
}
