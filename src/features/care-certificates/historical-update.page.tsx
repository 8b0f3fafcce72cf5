import { Button, Title } from '@mantine/core';

import { Link, useNavigate, useParams } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { HistoricalForm } from '#src/features/care-certificates/historical-form.tsx';
import { formatMoment } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

/** Puts right, or takes away, what is noted of a care certificate from elsewhere. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useRead('GET /historical-care-certificates/{id}', { params: { id: uuid } });
  const here = state.kind === 'here' ? state.thing : null;
  const back = () => navigate(pathTo('care-certificate-historical'));
  const remove = async () => {
    const result = await call('DELETE /historical-care-certificates/{id}', { params: { id: uuid } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    notify('success', 'Taken away.');
    void back();
  };
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {here ? `${here.user.name}: care certificate from elsewhere` : 'Care certificate from elsewhere'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading what is noted" offline="This needs a connection." />
      {here && (
        <>
          <p className={layout.count}>
            {here.place} · noted by {here.added_by.name}, {formatMoment(here.added_at)}
          </p>
          <HistoricalForm
            begun={{ achieved_on: here.achieved_on, issuer: here.issuer, note: here.note }}
            beside={
              <>
                <Button variant="default" component={Link} to={pathTo('care-certificate-historical')}>
                  Back
                </Button>
                <DeleteButton question="Take it away?" label="Take away …" sure="Take away" onDelete={() => void remove()} />
              </>
            }
            onSave={async (fields) => {
              const result = await call('PATCH /historical-care-certificates/{id}', { params: { id: uuid }, body: fields });
              if (result.kind !== 'ok') return fieldErrorsOf(result);
              notify('success', 'Saved.');
              void back();
              return {};
            }}
          />
        </>
      )}
    </div>
  );
};
