import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportedTypes, starterFilters } from '#contract/matrix/filter.ts';
import { choicesIn, filterIn, plainFilter, queryWith } from '#src/lib/report-filter.ts';

const ids = fc.uniqueArray(fc.uuid(), { maxLength: 4 });
const filters = fc.record({
  ...{ entities: ids, roles: ids, tags: ids, users: ids, courses: ids },
  ...{ compliance_type: fc.constantFrom(...reportedTypes), new_starters_filter: fc.constantFrom(...starterFilters) },
});

describe('the filter of a matrix in its address', () => {
  it('is read as it was written, and leaves alone what else stands there', () => {
    fc.assert(
      fc.property(filters, filters, (before, after) => {
        const address = queryWith(after, queryWith(before, new URLSearchParams({ sort: '-name' })));
        expect(filterIn(address)).toEqual(after);
        expect(address.get('sort')).toBe('-name');
      }),
    );
  });
  it('is the plain one where an address names what there is not', () => {
    expect(filterIn(new URLSearchParams({ entities: 'x,y', compliance_type: 'third', new_starters_filter: '' }))).toEqual(plainFilter);
    expect([choicesIn(plainFilter), plainFilter.compliance_type, plainFilter.new_starters_filter]).toEqual([0, 'primary', 'include_new_starters']);
  });
});
