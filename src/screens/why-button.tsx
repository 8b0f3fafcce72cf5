import { Button } from '@mantine/core';
import { askWhy, type Why } from '#src/screens/why.ts';

/** Beside a status: says why it is so. What that needs is loaded when it is asked (`WhyHost`). */
export const WhyButton = (why: Why) => (
  <Button
    variant="subtle"
    px="xs"
    aria-haspopup="dialog"
    aria-label={`Why? ${'courseId' in why ? why.courseTitle : why.name}`}
    onClick={(e) => {
      // A browser may leave the focus where it was when something is clicked.
      e.currentTarget.focus();
      askWhy(why);
    }}
  >
    Why?
  </Button>
);
