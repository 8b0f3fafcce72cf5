/** Thrown to who waited too long for a turn. */
export class NoTurn extends Error {
  override name = 'NoTurn';
}

type Waiting = { who: string | undefined; begin(): void; give(): void };
/**
 * Lets each owner have at most `most` of something at once; what is beyond waits for that owner's own turns, at most `withinMs`, and nobody
 * else does. `rest`: before a waiting one begins, this share of the time of the one before passes, for others. Returns a function that takes a
 * turn, which returns a function that ends it. `who` asks for it, of those who share the owner: while others wait nobody is next after themselves.
 */
export const turnsOf = (most: number, withinMs: number, rest = 0): ((owner: string, who?: string) => Promise<() => void>) => {
  const lanes = new Map<string, { running: number; waiting: Waiting[] }>();
  return async (owner, who) => {
    const lane = lanes.get(owner) ?? { running: 0, waiting: [] };
    lanes.set(owner, lane);
    if (lane.running < most) lane.running++;
    else
      await new Promise<void>((done, failed) => {
        const waiting: Waiting = {
          who,
          begin: () => {
            clearTimeout(late);
            done();
          },
          give: () => failed(new NoTurn('too much is asked of one organisation at once')),
        };
        const late = setTimeout(() => {
          lane.waiting.splice(lane.waiting.indexOf(waiting), 1);
          waiting.give();
        }, withinMs);
        lane.waiting.push(waiting);
      });
    const began = performance.now();
    let ended = false;
    const pass = () => {
      const [next] = lane.waiting.splice(
        Math.max(
          0,
          lane.waiting.findIndex((w) => w.who !== who),
        ),
        1,
      );
      if (next) next.begin();
      else if (--lane.running === 0) lanes.delete(owner);
    };
    return () => {
      if (ended) return;
      ended = true;
      if (rest > 0 && lane.waiting.length > 0) setTimeout(pass, (performance.now() - began) * rest);
      else pass();
    };
  };
};
