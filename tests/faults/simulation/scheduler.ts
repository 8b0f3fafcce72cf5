/** A seeded random number generator, [0, 1). */
export const randomFrom = (seed: number): (() => number) => {
  let a = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** A scheduled actor: a tab, or the world. A dead one never continues, a frozen one once it thaws. */
export type Actor = { alive: boolean; frozenUntil: number };
type Task = { at: number; actor: Actor; go: () => void };

/** Lets all pending promises continue; nothing in the simulation waits for real time. */
const settled = async () => {
  for (let i = 0; i < 24; i++) await null;
};

/**
 * Runs waiting steps one at a time in an order chosen by the seed. Time is simulated: it advances to the next due step when
 * nothing else can run.
 */
export class Scheduler {
  now = 0;
  steps = 0;
  private tasks: Task[] = [];
  private readonly random: () => number;
  constructor(random: () => number) {
    this.random = random;
  }
  /** Continues after `ms`, in random order with other due steps; never if the actor has died. */
  pause(actor: Actor, ms = 0): Promise<void> {
    return new Promise((resolve) => this.tasks.push({ at: this.now + ms, actor, go: resolve }));
  }
  /** Runs until `until`, or until nothing is left. */
  async run(until: number): Promise<void> {
    let idle = false;
    for (;;) {
      for (let i = 0; i < 4; i++) await null;
      this.tasks = this.tasks.filter((t) => t.actor.alive);
      if (this.tasks.length === 0) {
        if (idle) return;
        idle = true;
        await settled();
        continue;
      }
      const due = this.tasks.filter((t) => Math.max(t.at, t.actor.frozenUntil) <= this.now);
      if (due.length === 0) {
        // Pending computations finish before time advances.
        if (!idle) {
          idle = true;
          await settled();
          continue;
        }
        const next = Math.min(...this.tasks.map((t) => Math.max(t.at, t.actor.frozenUntil)));
        if (next > until) {
          this.now = until;
          return;
        }
        this.now = next;
        idle = false;
        continue;
      }
      const chosen = due[Math.floor(this.random() * due.length)] as Task;
      this.tasks.splice(this.tasks.indexOf(chosen), 1);
      idle = false;
      this.steps++;
      chosen.go();
    }
  }
}
