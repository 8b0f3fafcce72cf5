import { Button, Title } from '@mantine/core';

import { Link, useNavigate, useParams } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { call } from '#src/api/call.ts';
import { HistoricalForm } from '#src/features/care-certificates/historical-form.tsx';
import { formatMoment } from '#src/lib/format.ts';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

/** Changes or removes a care certificate from elsewhere. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useRead('GET /historical-care-certificates/{id}', { params: { id: uuid } });
  const here = state.kind === 'here' ? state.thing : null;
  const back = () => navigate(pathTo('care-certificate-historical'));
  const remove = useAction(() => call('DELETE /historical-care-certificates/{id}', { params: { id: uuid } }), {
    success: 'Removed.',
    onDone: () => void back(),
  });
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {here ? `${here.user.name}: care certificate from elsewhere` : 'Care certificate from elsewhere'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading" offline="This needs a connection." />
      {here && (
        <>
          <p className={layout.count}>
            {here.place} · noted by {here.added_by.name}, {formatMoment(here.added_at)}
          </p>
          <HistoricalForm
            certificate={here}
            onSaved={() => void back()}
            beside={
              <Button variant="default" component={Link} to={pathTo('care-certificate-historical')}>
                Back
              </Button>
            }
            more={<DeleteButton question="Remove it?" label="Remove …" sure="Remove" onDelete={() => void remove.run()} />}
          />
        </>
      )}
    </div>
  );
};
