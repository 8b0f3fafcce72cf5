import type { Question, Quiz } from '#contract/entities/content.ts';

/** The mulberry32 generator seeded by a text: the same text gives the same sequence on every machine. */
const seeded = (text: string) => {
  let h = 1779033703 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3432918353);
    h = (h << 13) | (h >>> 19);
  }
  return () => {
    h = (h + 0x6d2b79f5) | 0;
    let t = Math.imul(h ^ (h >>> 15), 1 | h);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

const shuffled = <T>(items: readonly T[], random: () => number): T[] => {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
};

/**
 * The questions of one try, in order. Device and server draw the same ones independently, because the draw depends only on the
 * attempt, the quiz and the number of the try.
 */
export const drawQuestions = (quiz: Quiz, attemptId: string, tryNo: number): Question[] => {
  const random = seeded(`${attemptId}:${quiz.id}:${tryNo}`);
  const order = quiz.is_randomized ? shuffled(quiz.questions, random) : quiz.questions;
  const drawn = quiz.question_qty > 0 ? order.slice(0, quiz.question_qty) : order;
  return drawn.map((q) => {
    if (q.kind === 'order') return { ...q, items: shuffled(q.items, random) };
    if (q.kind === 'match') return { ...q, right: shuffled(q.right, random) };
    if (quiz.is_randomized && (q.kind === 'single' || q.kind === 'multiple')) return { ...q, options: shuffled(q.options, random) };
    return q;
  });
};
