import { Button } from '@mantine/core';
import { type PointerEvent, useRef, useState } from 'react';
import classes from '#src/ui/signature-pad.module.css';

/** The size of the drawing area, independent of the screen. */
const box = { width: 400, height: 160 } as const;
const mostLetters = 20_000;

type Props = { label: string; value: string; error?: string | undefined; onChange: (path: string) => void };
/** A signature drawn with a finger. The value is a path of straight strokes in a 400 by 160 box, or empty. */
export const SignaturePad = ({ label, value, error, onChange }: Props) => {
  const drawing = useRef(false);
  const [begun, setBegun] = useState(value);
  const pointAt = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const within = (share: number, most: number) => Math.round(Math.min(Math.max(share, 0), 1) * most);
    return `${within((event.clientX - left) / width, box.width)} ${within((event.clientY - top) / height, box.height)}`;
  };
  const draw = (path: string) => {
    if (path.length > mostLetters) return;
    setBegun(path);
    onChange(path);
  };
  const path = value === '' ? '' : begun;
  return (
    <div className={classes.field}>
      <span className={classes.label}>{label}</span>
      <svg
        className={classes.pad}
        data-wrong={error ? '' : undefined}
        viewBox={`0 0 ${box.width} ${box.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${path === '' ? 'nothing is drawn yet' : 'drawn'}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drawing.current = true;
          draw(`${path}M${pointAt(event)}`);
        }}
        onPointerMove={(event) => drawing.current && draw(`${path}L${pointAt(event)}`)}
        onPointerUp={() => {
          drawing.current = false;
        }}
        onPointerCancel={() => {
          drawing.current = false;
        }}
      >
        <line x1="20" y1="125" x2="380" y2="125" className={classes.line} />
        <path d={path} className={classes.ink} />
      </svg>
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
      <Button variant="subtle" color="gray" disabled={path === ''} onClick={() => draw('')} style={{ justifySelf: 'start' }}>
        Draw again
      </Button>
    </div>
  );
};

/** A drawn signature. */
export const Drawn = ({ path, of }: { path: string; of: string }) => (
  <svg className={classes.drawn} viewBox={`0 0 ${box.width} ${box.height}`} role="img" aria-label={`Signature of ${of}`}>
    <path d={path} className={classes.ink} />
  </svg>
);
