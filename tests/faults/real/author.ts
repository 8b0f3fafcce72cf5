import type { FastifyInstance } from 'fastify';
import type { Content } from '#contract/entities/authored-content.ts';
import type { AuthoredQuiz } from '#contract/entities/authored-parts.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { TestClient } from '#tests/support/test-app.ts';

/** An author who changes and publishes a content while others are taking it. */
export class Author {
  private readonly client: TestClient;
  private changes = 0;
  private readonly takenOut = new Set<string>();
  constructor(app: FastifyInstance) {
    this.client = new TestClient(app);
  }
  async signIn(email: string): Promise<void> {
    await this.client.signIn(email);
  }
  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, body: answer } = await this.client.json<{ data: T }>(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status} to an author: ${JSON.stringify(answer)}`);
    return answer.data;
  }
  /** Makes one change by `dice` (0–1), and publishes it. Returns the number of the version. */
  async publish(first: ContentDocument, dice: number): Promise<number> {
    const pick = <T>(list: readonly T[]): T => list[Math.floor(dice * 1000) % list.length] as T;
    const lesson = pick(first.lessons);
    const topic = pick(lesson.topics);
    const n = ++this.changes;
    if (dice < 0.3) await this.call('PATCH', `/topics/${topic.id}`, { title: `${topic.title.slice(0, 40)}, changed ${n} times` });
    else if (dice < 0.6) {
      // A page is taken out of its lesson, or one is put back at its end; a lesson without a page could not be published.
      const out = lesson.topics.filter((t) => this.takenOut.has(t.id));
      const back = out.length >= lesson.topics.length - 1 ? out[0] : out.find((t) => t.id === topic.id);
      if (back) this.takenOut.delete(back.id);
      else if (lesson.topics.length > 1) this.takenOut.add(topic.id);
      const change = back ? { action: 'add', topic_id: back.id } : { action: 'remove', topic_id: topic.id };
      if (back || lesson.topics.length > 1) await this.call('POST', `/lessons/${lesson.id}/topics`, change);
    } else if (dice < 0.9) {
      const quiz = await this.call<AuthoredQuiz>('GET', `/quizzes/${pick(first.quizzes).id}`);
      // The last question becomes the first, with another wording: the ids of questions and options stay, their meaning does not.
      const questions = [quiz.questions.at(-1), ...quiz.questions.slice(0, -1)].map((q, i) =>
        i === 0 && q ? { ...q, prompt: `Reworded ${n}: ${q.prompt.replace(/^Reworded \d+: /, '')}` } : q,
      );
      await this.call('PATCH', `/quizzes/${quiz.id}`, { questions, pass_percent: 50 + (n % 50) });
    } else {
      await this.call('PATCH', `/content/${first.id}`, { published: false });
      await this.call('PATCH', `/content/${first.id}`, { published: true });
    }
    const content = await this.call<Content>('POST', `/content/${first.id}/publish`, { note: `Change ${n}`, material: dice < 0.5 });
    return content.version;
  }
}
