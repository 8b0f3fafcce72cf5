import * as z from 'zod/mini';
import { Content, contentFields } from '#contract/entities/authored-content.ts';
import { Design } from '#contract/entities/design.ts';
import { Id } from '#contract/entities/fields.ts';

/** What stands in the way of publishing, and where: null where it concerns the whole. */
export const DesignProblem = z.object({ page: z.nullable(Id), block: z.nullable(Id), message: z.string() });
export type DesignProblem = z.infer<typeof DesignProblem>;

/** What an author enters for a designed content; it is published with POST /content/{id}/publish. */
const { published: _, ...fields } = contentFields;
export const designedContentFields = { ...fields, design: Design };
/** A content with its design, as its author sees it. `problems` says the same as `design_problems` without their places. */
export const DesignedContent = z.object({ ...Content.shape, design: Design, design_problems: z.array(DesignProblem) });
export type DesignedContent = z.infer<typeof DesignedContent>;
