import { useState } from 'react';
import { sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';

/** What a server said about a form: a sentence for the whole, and one for each field. */
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
    /** Shows a failure; the sentence is left out where the fields say it all. */
    show: (result: Exclude<Result, { kind: 'ok' }>) => {
      const named = Object.fromEntries(
        Object.entries(result.kind === 'refused' ? (result.error.errors ?? {}) : {}).map(([field, problems]) => [field, problems.join('\n')]),
      );
      setFields(named);
      setMessage(sentenceOf(result));
    },
  };
};
