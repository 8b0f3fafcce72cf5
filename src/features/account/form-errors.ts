import { useState } from 'react';
import { sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';

/** The server's messages about a form: one for the whole, and one per field. */
export const useFormErrors = () => {
  const [message, setMessage] = useState<string | null>(null);
  const [fields, setFields] = useState<Record<string, string>>({});
  return {
    message,
    fields,
    clear: () => {
      setMessage(null);
      setFields({});
    },
    /** Shows a message about the whole form. */
    say: (text: string) => {
      setFields({});
      setMessage(text);
    },
    /** Shows a failure. The general message is omitted if the field messages are sufficient. */
    show: (result: Exclude<Result, { kind: 'ok' }>) => {
      const named = Object.fromEntries(
        Object.entries(result.kind === 'refused' ? (result.error.errors ?? {}) : {}).map(([field, problems]) => [field, problems.join('\n')]),
      );
      setFields(named);
      setMessage(sentenceOf(result));
    },
  };
};
