import '@mantine/core/styles/Progress.css';
import { Progress } from '@mantine/core';
import classes from '#src/ui/steps-bar.module.css';

type Props = { done: number; of: number; label: string; words?: string };
/** Progress as completed steps of a total. */
export const StepsBar = ({ done, of, label, words }: Props) => (
  <div className={classes.bar}>
    <Progress value={of === 0 ? 0 : (100 * done) / of} size="lg" radius="xl" aria-label={label} />
    <span>{words ?? `${done} of ${of}`}</span>
  </div>
);
