import { exemptIn, isOfKind, statusIn, typeIn } from '#contract/matrix/sheet.ts';
import { complianceColourOf, type ComplianceStatus } from '#contract/rules/compliance-status.ts';
import type { CellKind } from '#src/features/matrix/grid/matrix-view.ts';

/** The marks of the cells as SVG paths in a square of 16; `dot` is filled, the others are stroked. */
export const marks = {
  tick: 'M3 8.6 6.4 12 13 4.6',
  clock: 'M8 2.2a5.800 5.800 0 1 0 0 11.600A5.800 5.800 0 0 0 8 2.200zM8 4.900V8.200l2.200 1.500',
  cross: 'M4 4l8 8M12 4l-8 8',
  missing: 'M8 2.200a5.800 5.800 0 1 0 0 11.600A5.800 5.800 0 0 0 8 2.200zM5.900 5.900l4.200 4.200M10.100 5.900l-4.200 4.200',
  exempt: 'M11 3.500H5.500v9H11M5.500 8h4.600',
  dot: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  dash: 'M4 8h8',
  none: 'M6.500 8h3',
} as const;
export type Mark = keyof typeof marks;
export const markNames = Object.keys(marks) as readonly Mark[];

export const markOf: Record<ComplianceStatus, Mark> = {
  ...{ in_date: 'tick', expiring: 'clock', expired: 'cross', missing: 'missing', starter: 'dot', lapsed: 'dash', not_required: 'none' },
};

/** `fill`: the traffic light fills the cell, outlines it (a result that is not required), or is not shown. */
export type Look = { mark: Mark; light: 'ok' | 'warning' | 'danger' | null; fill: 'full' | 'outline' | 'none'; secondary: boolean };
const lights = { green: 'ok', amber: 'warning', red: 'danger', none: null } as const;
const blank: Look = { mark: 'none', light: null, fill: 'none', secondary: false };

/** The look of a cell with this byte. With a status filter, cells that do not match have a mark only. */
export const lookOf = (byte: number, kind: CellKind, statuses: readonly ComplianceStatus[] = []): Look => {
  if (!isOfKind(byte, kind)) return blank;
  const status = statusIn(byte);
  const type = typeIn(byte);
  const light = lights[complianceColourOf[status]];
  const mark = exemptIn(byte) && (status === 'in_date' || status === 'expiring') ? 'exempt' : markOf[status];
  const isUnfilled = light === null || (statuses.length > 0 && !statuses.includes(status));
  return { mark, light, fill: isUnfilled ? 'none' : type === 'none' ? 'outline' : 'full', secondary: type === 'secondary' };
};
