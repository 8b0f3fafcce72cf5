import '@mantine/core/styles/Combobox.css';
import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { sampleLines, type TableEncoding, tableEncodings } from '#contract/rules/table-encoding.ts';
import classes from '#src/features/importer/importer.module.css';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';

type Props = {
  name: string;
  /** The start of the file. */
  head: Uint8Array;
  guess: TableEncoding;
  onChosen: (encoding: TableEncoding) => void;
  onCancel: () => void;
};
/** Chooses the encoding of a file that does not declare it, by checking how names read. */
export const EncodingChoice = ({ name, head, guess, onChosen, onCancel }: Props) => {
  const [encoding, setEncoding] = useState(guess);
  const lines = sampleLines(new TextDecoder(encoding).decode(head));
  return (
    <fieldset className={`app-card ${form.group}`}>
      <legend>Are these names spelt correctly?</legend>
      <p className={layout.count} role="status">
        “{name}” does not state its character encoding. If any letters below look wrong, choose another encoding until they are all correct.
      </p>
      <Select
        label="Character encoding"
        allowDeselect={false}
        data={Object.entries(tableEncodings).map(([value, label]) => ({ value, label }))}
        value={encoding}
        onChange={(chosen) => chosen && setEncoding(chosen as TableEncoding)}
      />
      <pre className={classes.preview} aria-live="polite">
        {lines.join('\n')}
      </pre>
      <div className={layout.tools}>
        <Button onClick={() => onChosen(encoding)}>They are correct: continue</Button>
        <Button variant="default" onClick={onCancel}>
          Choose another file
        </Button>
      </div>
    </fieldset>
  );
};
