import type { FeedbackKind, FeedbackPlace, FeedbackState, ProblemKind } from '#contract/entities/feedback.ts';

/** The labels of feedback on courses, for learners and authors. */
export const feedbackKindWords: Record<FeedbackKind, string> = { rating: 'Comment', question: 'Question', problem: 'Problem' };

export const problemWords: Record<ProblemKind, string> = {
  text: 'Something in the text is wrong',
  outdated: 'It is out of date',
  broken: 'Something does not work',
  hard: 'It is hard to read or to understand',
  other: 'Something else',
};

export const feedbackStates: Record<FeedbackState, { words: string; tone: 'ok' | 'warning' | 'plain' }> = {
  received: { words: 'Received', tone: 'plain' },
  open: { words: 'Open', tone: 'warning' },
  looked_at: { words: 'Being looked at', tone: 'warning' },
  answered: { words: 'Answered', tone: 'ok' },
  closed: { words: 'Closed', tone: 'plain' },
  mended: { words: 'Mended', tone: 'ok' },
  no_fault: { words: 'Not a fault', tone: 'plain' },
};

/** The place, from the lesson to the question. */
export const placeWords = (place: FeedbackPlace | null): string =>
  place ? [place.lesson, place.part?.title, place.item?.title].filter(Boolean).join(' › ') : '';
