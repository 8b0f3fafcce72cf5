import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';

/** Up to four options fit side by side on a screen of 320 px. */
const label = {
  flex: 1,
  whiteSpace: 'normal',
  alignContent: 'center',
  paddingInline: 'clamp(2px, 1.5vw, 10px)',
  fontSize: 'clamp(0.8125rem, 4vw, 1rem)',
} as const;
/** As wide as its label, and no narrower than its longest word: equal widths would cut off the longest label. */
const control = { display: 'flex', flex: '1 1 auto', minWidth: 'min-content' } as const;
/** A segmented control with its styles. Long labels wrap, so that it fits on a phone; all segments are as high as the highest. */
export const Segmented = (props: SegmentedControlProps) => <SegmentedControl fullWidth styles={{ control, label }} {...props} />;
