import * as z from 'zod/mini';
import { Content, contentFields } from '#contract/entities/authored-content.ts';
import { Design } from '#contract/entities/design.ts';
import { Id } from '#contract/entities/fields.ts';

/** What prevents publishing, and where: null if it concerns the whole content. */
export const DesignProblem = z.object({ page: z.nullable(Id), block: z.nullable(Id), message: z.string() });
export type DesignProblem = z.infer<typeof DesignProblem>;

/** What an author enters for a designed content; it is published with POST /content/{id}/publish. */
const { published: _, ...fields } = contentFields;
export const designedContentFields = { ...fields, design: Design };
/** A content with its design, as its author sees it. `problems` are those of `design_problems` without their locations. */
export const DesignedContent = z.object({ ...Content.shape, design: Design, design_problems: z.array(DesignProblem) });
export type DesignedContent = z.infer<typeof DesignedContent>;
