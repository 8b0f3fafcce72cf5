import * as z from 'zod/mini';
import { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { Count, Id, Percent } from '#contract/entities/fields.ts';
import { Media } from '#contract/entities/media.ts';
import { AnswerKey, Question } from '#contract/entities/question.ts';
import { RichNode, wholeText } from '#contract/entities/rich-text.ts';

/**
 * A content made in the content designer: pages of blocks. Its working copy may be unfinished (a picture without its file, an unwritten
 * question: null); `contract/rules/design.ts` says what prevents publishing it. Ours.
 *
 * Pages, blocks and the questions of a film have permanent ids: what people have done is stored under them. What is within a block (a
 * card, a spot, a step) has a `PartId` that is unique within it.
 */
export const designLimits = {
  ...{ pages: 60, rows: 40, columns: 3, blocks: 300, bodyBytes: 2_000_000 },
  ...{ spots: 20, cards: 24, entries: 40, steps: 60, choices: 6, stops: 30, items: 50 },
} as const;

/** Styles derived from the organisation's colours. Each keeps its contrast whatever the colours are. */
export const designThemes = ['plain', 'band', 'tint'] as const;
export type DesignTheme = (typeof designThemes)[number];

const PartId = z.string().check(z.regex(/^[\w-]{1,40}$/, 'This is not a valid id.'));
const words = (most: number) => z.string().check(z.maxLength(most, `Use no more than ${most.toLocaleString('en-GB')} characters.`));
const line = words(200);
const passage = words(2000);
/** A list with a maximum length and unique ids. */
const list = <T extends z.ZodMiniType<{ id: string }>>(entry: T, most: number) =>
  z.array(entry).check(
    z.maxLength(most, `Use no more than ${most} of these.`),
    z.refine((all) => new Set(all.map((one) => one.id)).size === all.length, 'Two of these have the same id.'),
  );

const Spot = z.object({ id: PartId, x: Percent, y: Percent, title: line, text: passage });
/** `to` is the id of the step to which a choice leads; empty: none yet. `feedback` is shown as soon as it is chosen. */
const ScenarioChoice = z.object({ id: PartId, text: words(500), feedback: passage, to: z.union([PartId, z.literal('')]) });
/** An end step: `good` is the goal; from a `poor` one people start again. Other steps have choices. */
const ScenarioStep = z.object({
  id: PartId,
  text: passage,
  end: z.nullable(z.enum(['good', 'poor'])),
  choices: list(ScenarioChoice, designLimits.choices),
});
const block = { id: Id };
/** A block that can be required to complete the content. */
const requirable = { ...block, required: z.boolean() };
/** A question as its author has it, and as a learner gets it. A scored one counts towards the pass mark and is marked when handed in. */
const authored = { question: z.nullable(AuthoredQuestion), scored: z.boolean() };
const taken = { question: Question, scored: z.boolean(), key: z.nullable(AnswerKey) };
const film = {
  ...{ ...requirable, kind: z.literal('film'), media: z.nullable(Media), title: line, poster: z.nullable(Media), transcript: words(50_000) },
  captions: z.array(z.object({ language: z.string(), label: z.string(), media: Media })).check(z.maxLength(10)),
};
/** The film pauses at this second for the question. */
const stop = { id: Id, at: z.number().check(z.gte(0), z.lte(86_400)) };

const TextBlock = z.object({ ...block, kind: z.literal('text'), doc: RichNode }).check(wholeText);
/** `required`: every spot has to be opened. `x` and `y` of a spot in percent of the picture. */
const PictureBlock = z.object({
  ...{ ...requirable, kind: z.literal('picture'), media: z.nullable(Media), alt: words(1000), decorative: z.boolean(), caption: words(500) },
  spots: list(Spot, designLimits.spots),
});
/** Flip cards. `required`: all must be turned. */
const CardsBlock = z.object({
  ...{ ...requirable, kind: z.literal('cards'), title: line },
  cards: list(z.object({ id: PartId, front: words(300), back: passage }), designLimits.cards),
});
const TimelineBlock = z.object({
  ...{ ...block, kind: z.literal('timeline'), title: line },
  entries: list(z.object({ id: PartId, when: words(100), title: line, text: passage }), designLimits.entries),
});
/** Starts at the first step. `required`: a good end must be reached. */
const ScenarioBlock = z.object({ ...requirable, kind: z.literal('scenario'), title: line, steps: list(ScenarioStep, designLimits.steps) });
/** “I have read and understood”: signed with the person's name. */
const AcknowledgementBlock = z.object({ ...requirable, kind: z.literal('acknowledgement'), text: passage });
/** `required`: every item has to be ticked. */
const ChecklistBlock = z.object({
  ...{ ...requirable, kind: z.literal('checklist'), title: line },
  items: list(z.object({ id: PartId, text: words(500) }), designLimits.items),
});
const alike = [TextBlock, PictureBlock, CardsBlock, TimelineBlock, ScenarioBlock, AcknowledgementBlock, ChecklistBlock] as const;

export const DesignBlock = z.discriminatedUnion('kind', [
  ...alike,
  z.object({ ...requirable, kind: z.literal('question'), ...authored }),
  z.object({ ...film, stops: list(z.object({ ...stop, ...authored }), designLimits.stops) }),
]);
export type DesignBlock = z.infer<typeof DesignBlock>;
export const designBlockKinds = [
  ...(['text', 'picture', 'cards', 'timeline', 'scenario', 'question', 'film', 'acknowledgement', 'checklist'] as const),
] as const satisfies DesignBlock['kind'][];
/** A block as sent to learners: a scored question without its answer, a practice question with it (`key`). */
export const PlayedBlock = z.discriminatedUnion('kind', [
  ...alike,
  z.object({ ...requirable, kind: z.literal('question'), ...taken }),
  z.object({ ...film, stops: z.array(z.object({ ...stop, ...taken })) }),
]);
export type PlayedBlock = z.infer<typeof PlayedBlock>;

/** Blocks beside each other on a tablet and wider screens; on a phone one below the other, in this order. */
const rowOf = <T extends z.ZodMiniType>(blocks: T) =>
  z.object({ id: PartId, blocks: z.array(blocks).check(z.minLength(1), z.maxLength(designLimits.columns, 'Use no more than three columns.')) });
/** `required`: it has to be read. */
const pageOf = <T extends z.ZodMiniType>(blocks: T, title: typeof line) =>
  z.object({
    id: Id,
    title,
    required: z.boolean(),
    rows: list(rowOf(blocks), designLimits.rows),
  });
const designOf = <T extends z.ZodMiniType>(blocks: T) => ({
  theme: z.enum(designThemes),
  /** The pass mark of all scored questions together, and the number of tries; 0: unlimited. */
  pass_percent: Percent.check(z.int('Enter a whole number of percent.')),
  max_tries: Count.check(z.lte(100, 'Use no more than 100 tries.')),
  pages: z.array(pageOf(blocks, line)).check(z.maxLength(designLimits.pages, `Use no more than ${designLimits.pages} pages.`)),
});

type Named = { pages: readonly { id: string; rows: readonly { blocks: readonly { id: string; stops?: readonly { id: string }[] }[] }[] }[] };
const namesOf = ({ pages }: Named): string[] =>
  pages.flatMap((p) => [p.id, ...p.rows.flatMap((r) => r.blocks.flatMap((b) => [b.id, ...(b.stops ?? []).map((s) => s.id)]))]);
export const Design = z.object(designOf(DesignBlock)).check(
  z.refine((d) => new Set(namesOf(d)).size === namesOf(d).length, 'Two pages or blocks have the same id.'),
  z.refine(
    (d) => d.pages.reduce((sum, p) => sum + p.rows.reduce((n, r) => n + r.blocks.length, 0), 0) <= designLimits.blocks,
    `Use no more than ${designLimits.blocks} blocks.`,
  ),
);
export type Design = z.infer<typeof Design>;
export type DesignPage = Design['pages'][number];
/** The design as it is stored in a version of the content. */
export const PlayedDesign = z.object(designOf(PlayedBlock));
export type PlayedDesign = z.infer<typeof PlayedDesign>;
export type PlayedPage = PlayedDesign['pages'][number];
