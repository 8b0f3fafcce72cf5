/**
 * The initial values of the form for a certificate from elsewhere when it is submitted again, passed with the link. `instead`: the
 * unsent change that was not accepted and is replaced.
 */
export type SubmissionStart = {
  course: { id: string; title: string };
  completed_on: string;
  expires_on: string | null;
  note: string;
  instead?: string;
};
