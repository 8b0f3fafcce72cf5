import { Button } from '@mantine/core';
import { askWhy, type Why } from '#src/screens/why.ts';

/** Explains the status beside it. Its code is loaded when it is pressed (`WhyHost`). */
export const WhyButton = (why: Why) => (
  <Button
    variant="subtle"
    px="xs"
    aria-haspopup="dialog"
    aria-label={`Why? ${'courseId' in why ? why.courseTitle : why.name}`}
    onClick={(e) => {
      // Some browsers do not focus a button that is clicked.
      e.currentTarget.focus();
      askWhy(why);
    }}
  >
    Why?
  </Button>
);
