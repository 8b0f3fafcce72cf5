import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';

/** A segmented control with the styles it needs. */
export { SegmentedControl as Segmented } from '@mantine/core';
