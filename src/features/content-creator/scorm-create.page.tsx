import { Title } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { ScormForm } from '#src/features/content-creator/scorm-form.tsx';
import layout from '#src/ui/page.module.css';

/** Adds a SCORM course to a course of the organisation. */
export const Component = () => {
  const navigate = useNavigate();
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Add a SCORM course
      </Title>
      <ScormForm
        content={null}
        save={(body) => call('POST /content', { body })}
        success={texts.contentCreated}
        onSaved={() => void navigate(pathTo('content-creator-content-by-type', { type: 'scorm' }))}
      />
    </div>
  );
};
