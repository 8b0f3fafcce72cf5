import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { CompanySettings } from '#contract/entities/training-company.ts';
import { pathTo, type RouteId } from '#contract/site-map.ts';
import { useRevised } from '#src/screens/revised.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';

type FormProps = { slug: string; revised: ReturnType<typeof useRevised<CompanySettings>> };
const Revised = ({ slug, read, Body }: { slug: string; read: CompanySettings; Body: (props: FormProps) => ReactNode }) => {
  const revised = useRevised(read);
  return <Body key={revised.round} slug={slug} revised={revised} />;
};

type Props = { title: string; about: string; other: { route: RouteId; label: string }; Body: (props: FormProps) => ReactNode };
/** A page with some of the settings of a training company, with the form `Body`. */
export const SettingsPage = ({ title, about, other, Body }: Props) => {
  const { slug = '' } = useParams();
  const { state, retry } = useRead('GET /entities/{slug}/training-company', { params: { slug } });
  return (
    <div className={`${layout.page} ${layout.wide}`} style={{ maxWidth: 1240 }}>
      <Title order={1} className={layout.title}>
        {title}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the settings" offline="Changing this needs a connection." />
      {state.kind === 'loaded' && (
        <>
          <p className={layout.count}>
            {about} <Link to={pathTo(other.route, { slug })}>{other.label}</Link>
          </p>
          {state.data.inherited_from && (
            <p className={layout.notice} data-tone="ok" role="status">
              These are the settings of {state.data.inherited_from.name}. They hold here until you save others.
            </p>
          )}
          <Revised key={slug} slug={slug} read={state.data} Body={Body} />
        </>
      )}
    </div>
  );
};
