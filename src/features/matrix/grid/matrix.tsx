import type { Ref } from 'react';
import { MatrixGrid, type MatrixHandle, type MatrixProps } from '#src/features/matrix/grid/matrix-grid.tsx';
import { MatrixPhone } from '#src/features/matrix/grid/matrix-phone.tsx';
import { useMedia } from '#src/features/matrix/grid/use-picture.ts';
import { useWidths } from '#src/features/matrix/grid/use-widths.ts';

/** Screens that are too narrow for a grid. */
export const withoutGrid = '(max-width: 767px)';

/** The matrix as a grid, or as lists on a narrow screen. */
export const Matrix = ({ handle, ...props }: MatrixProps & { handle?: Ref<MatrixHandle> }) => {
  const isNarrow = useMedia(withoutGrid);
  const { widths, setWidths } = useWidths();
  return isNarrow ? <MatrixPhone {...props} /> : <MatrixGrid {...props} widths={widths} onWidths={setWidths} handle={handle} />;
};
