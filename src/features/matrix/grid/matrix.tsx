import type { Ref } from 'react';
import { MatrixGrid, type MatrixHandle, type MatrixProps } from '#src/features/matrix/grid/matrix-grid.tsx';
import { MatrixPhone } from '#src/features/matrix/grid/matrix-phone.tsx';
import { useMedia } from '#src/features/matrix/grid/use-picture.ts';
import { useWidths } from '#src/features/matrix/grid/use-widths.ts';

/** Where there is no room for a grid. */
export const withoutGrid = '(max-width: 767px)';

/** People and courses with how each stands: a grid, or lists where there is no room for one. */
export const Matrix = ({ handle, ...props }: MatrixProps & { handle?: Ref<MatrixHandle> }) => {
  const isNarrow = useMedia(withoutGrid);
  const { widths, setWidths } = useWidths();
  return isNarrow ? <MatrixPhone {...props} /> : <MatrixGrid {...props} widths={widths} onWidths={setWidths} handle={handle} />;
};
