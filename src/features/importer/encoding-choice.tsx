import '@mantine/core/styles/Combobox.css';
import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { type TableEncoding, tableEncodings, tellingLines } from '#contract/rules/table-encoding.ts';
import classes from '#src/features/importer/importer.module.css';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';

type Props = {
  name: string;
  /** The beginning of the file. */
  head: Uint8Array;
  guess: TableEncoding;
  onChosen: (encoding: TableEncoding) => void;
  onCancel: () => void;
};
/** A file that does not say how its letters are written: a person who knows the names looks whether they read right. */
export const EncodingChoice = ({ name, head, guess, onChosen, onCancel }: Props) => {
  const [encoding, setEncoding] = useState(guess);
  const lines = tellingLines(new TextDecoder(encoding).decode(head));
  return (
    <fieldset className={`app-card ${form.group}`}>
      <legend>Do these names read right?</legend>
      <p className={layout.count} role="status">
        “{name}” does not say how its letters are written. If a letter below looks wrong, choose another kind until all of them are right.
      </p>
      <Select
        label="Letters"
        allowDeselect={false}
        data={Object.entries(tableEncodings).map(([value, label]) => ({ value, label }))}
        value={encoding}
        onChange={(chosen) => chosen && setEncoding(chosen as TableEncoding)}
      />
      <pre className={classes.preview} aria-live="polite">
        {lines.join('\n')}
      </pre>
      <div className={form.actions}>
        <Button onClick={() => onChosen(encoding)}>They read right: go on</Button>
        <Button variant="default" onClick={onCancel}>
          Choose another file
        </Button>
      </div>
    </fieldset>
  );
};
