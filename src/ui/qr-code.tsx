import { encode } from 'uqr';
import classes from '#src/ui/qr-code.module.css';

/** A QR code, dark on white in either colour scheme. `label`: its accessible name. */
export const QrCode = ({ text, label, large = false }: { text: string; label: string; large?: boolean }) => {
  const { data, size } = encode(text, { border: 1 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      className={classes.qr}
      data-large={large || undefined}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
};
