import { useNavigate } from 'react-router-dom';
import type * as z from 'zod/mini';
import { type CompanySettings, CompanySettingsChange, delegateProblem } from '#contract/entities/training-company.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import type { Picture } from '#src/screens/picture-choice.tsx';
import type { useRevised } from '#src/screens/revised.tsx';
import { useForm } from '#src/screens/use-form.ts';

/** The schema of the forms: the fields, and that no minimum exceeds its maximum. */
const Rule = CompanySettingsChange.check((checked) => {
  const problem = delegateProblem(checked.value);
  if (problem) checked.issues.push({ code: 'custom', message: problem.message, path: [problem.field], input: checked.value });
});
type Input = z.input<typeof Rule>;

/** A form for some of the settings of a training company; only changed fields are sent, with the version that was read. */
export const useCompanyForm = <V extends object>(
  slug: string,
  part: 'company' | 'delegates',
  revised: ReturnType<typeof useRevised<CompanySettings>>,
  begin: () => V,
  toInput: (values: V) => Input,
) => {
  const navigate = useNavigate();
  return useForm({
    schema: Rule,
    begin,
    toInput,
    save: async (_data, changed, values) => {
      const { logo } = values as { logo?: Picture };
      const file = logo && 'file' in logo ? logo.file : null;
      const form = new FormData();
      if (file) form.set('logo', file);
      const sent = file ? await call('POST /entities/{slug}/training-company/logo', { params: { slug } }, { form }) : null;
      if (sent && sent.kind !== 'ok') return sent;
      const body = { ...changed, ...(sent ? { logo: sent.data.logo } : {}) };
      return revised.save((rev) => call('PATCH /entities/{slug}/training-company', { params: { slug }, body: { ...body, rev: rev ?? 0 } }));
    },
    success: texts.successfullyUpdated,
    draft: { name: `training company ${slug} ${part}`, ...revised.draft },
    onSaved: () => void navigate(pathTo('entities-one', { slug })),
  });
};
