import { Button } from '@mantine/core';
import { sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

type Format = 'pdf' | 'csv';
type Props = { name: string; about: string; load: (format: Format) => Promise<Result<Blob>> };

/** Invoice lines to download: as a PDF for people and as a CSV for accounts. `name`: the file name without extension. */
export const AccountsFiles = ({ name, about, load }: Props) => {
  const download = async (format: Format) => {
    const answer = await load(format);
    if (answer.kind === 'ok') saveFile(answer.data, answer.headers.get('Content-Disposition'), `${name}.${format}`);
    else notify('error', sentenceOf(answer));
  };
  return (
    <Section title="For the accounts">
      <div className={layout.tools}>
        <Button variant="default" onClick={() => void download('pdf')}>
          PDF
        </Button>
        <Button variant="default" onClick={() => void download('csv')}>
          CSV
        </Button>
      </div>
      <p className={layout.count}>{about}</p>
    </Section>
  );
};
