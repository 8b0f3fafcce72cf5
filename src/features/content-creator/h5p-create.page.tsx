import { Title } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { H5pForm } from '#src/features/content-creator/h5p-form.tsx';
import layout from '#src/ui/page.module.css';

/** Adds an H5P activity to the organisation's library. */
export const Component = () => {
  const navigate = useNavigate();
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Add an activity
      </Title>
      <H5pForm
        title=""
        pack={null}
        save={(body) => call('POST /h5ps', { body })}
        success={texts.h5pCreated}
        onSaved={() => void navigate(pathTo('content-creator-h5ps'))}
      />
    </div>
  );
};
