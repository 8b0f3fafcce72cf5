import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';

/** One of a few, all in sight: the library's control with the styles that it needs. */
export { SegmentedControl as Segmented } from '@mantine/core';
