import type { BulkEvent } from '#contract/entities/bulk-event.ts';

export const bulkTypeWords: Record<BulkEvent['type'], string> = { face2face: 'Face to face', historical: 'Earlier, elsewhere', exempt: 'Exempt' };
