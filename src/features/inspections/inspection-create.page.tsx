import { Checkbox, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { NewInspection } from '#contract/entities/inspection.ts';
import { matrixFields } from '#contract/matrix/filter.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { formatDay } from '#src/lib/format.ts';
import { filterIn, matrixFilterOf, queryWith } from '#src/lib/report-filter.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { DetailPage } from '#src/screens/detail-page.tsx';
import { Form, FormSection, notPermitted } from '#src/screens/form.tsx';
import { ReportFilter } from '#src/screens/report-filter.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useQuery } from '#src/screens/use-query.ts';

/** Freezes the present compliance. People and courses are in the address, as in a report. */
export const Component = () => {
  const [query, setQuery] = useQuery();
  const navigate = useNavigate();
  const user = useSession();
  const { certificateGroupMenuName } = useBrand();
  const filter = filterIn(query);
  const may = { certificates: can(user, 'certificate.user'), care: can(user, 'care_certificate.download') };
  const form = useForm({
    schema: NewInspection,
    begin: {
      name: `Inspection ${formatDay(correctedNow().toISOString())}`,
      certificates: may.certificates,
      care_certificates: may.care,
      policies: true,
    },
    toInput: (typed) => ({ ...typed, filter: matrixFilterOf(filter) }),
    save: (body) => call('POST /inspections', { body }),
    onSaved: ({ id }) => void navigate(pathTo('reports-inspections-by-id', { id }), { replace: true }),
    locked: (field) =>
      (field === 'certificates' && !may.certificates && notPermitted) || (field === 'care_certificates' && !may.care && notPermitted),
  });
  return (
    <DetailPage
      title="Freeze an inspection pack"
      about={['How people stand at this moment, for an inspector. It never changes afterwards, and cannot be deleted.']}
    >
      <ReportFilter filter={filter} fields={matrixFields} onChange={(to) => setQuery(queryWith(to, query), { replace: true })} />
      <Form form={form} label="Freeze an inspection pack" save="Freeze">
        <FormSection>
          <TextInput label="Name" maxLength={120} {...form.field('name')} />
          <Checkbox label="With the certificates, a PDF each" {...form.checkbox('certificates')} />
          <Checkbox label={`With the records of the ${certificateGroupMenuName}`} {...form.checkbox('care_certificates')} />
          <Checkbox label="With who has read and signed which policy" {...form.checkbox('policies')} />
        </FormSection>
      </Form>
    </DetailPage>
  );
};
