import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';

/** A segmented control with the styles it needs. Long labels break into lines, so that it fits on a phone; all are as high as the highest. */
export const Segmented = (props: SegmentedControlProps) => (
  <SegmentedControl
    fullWidth
    styles={{ control: { display: 'flex' }, label: { flex: 1, whiteSpace: 'normal', alignContent: 'center' } }}
    {...props}
  />
);
