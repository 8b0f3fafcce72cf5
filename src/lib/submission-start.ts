/**
 * With what the form for a certificate from elsewhere begins, where it is submitted again: handed on with the link to it. `instead`: the
 * unsent change that was not accepted, whose place it takes.
 */
export type SubmissionStart = {
  course: { id: string; title: string };
  completed_on: string;
  expires_on: string | null;
  note: string;
  instead?: string;
};
