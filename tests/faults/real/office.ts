import type { FastifyInstance } from 'fastify';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { TestClient } from '#tests/support/test-app.ts';

/** A planner who changes sessions while their trainers are offline. */
export class Office {
  private readonly client: TestClient;
  constructor(app: FastifyInstance) {
    this.client = new TestClient(app);
  }
  async signIn(email: string): Promise<void> {
    await this.client.signIn(email);
  }
  /** Moves a session to today or a later day, by `dice` (0–1). One that is finished stays where it is. */
  async move(session: string, dice: number): Promise<void> {
    const date = addDays(dayIn(new Date(), 'Europe/London'), Math.floor(dice * 3) * 7);
    const { status, body } = await this.client.json('PATCH', `/training-sessions/${session}`, { date });
    if (status >= 300 && body.code !== 'session_over') throw new Error(`moving a session was answered with ${status}: ${JSON.stringify(body)}`);
  }
}
