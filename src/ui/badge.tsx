import type { ComponentType, ReactNode } from 'react';
import layout from '#src/ui/page.module.css';

export type Tone = 'ok' | 'warning' | 'danger' | 'plain';
type Props = {
  tone: Tone;
  icon?: ComponentType<{ size?: number }> | undefined;
  className?: string | undefined;
  role?: 'status';
  children: ReactNode;
};

/** A status in a word or two: never by its colour alone. */
export const Badge = ({ tone, icon: Sign, className = '', role, children }: Props) => (
  <span className={`${layout.badge} ${className}`} data-tone={tone} role={role}>
    {Sign && <Sign size={18} />}
    {children}
  </span>
);
