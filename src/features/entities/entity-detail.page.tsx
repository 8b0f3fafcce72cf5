import { Button, Title } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { webAddress } from '#contract/rules/links.ts';
import { type Entity, entityFieldNeeds, readsEntityNotes } from '#contract/entities/entity.ts';
import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import classes from '#src/features/entities/entities.module.css';
import { useEntityWords } from '#src/access/entity-words.ts';
import { passwordSentence } from '#src/features/entities/password-sentence.ts';
import { Scores } from '#src/features/entities/scores.tsx';
import { countOf, formatDay, formatMoment } from '#src/lib/format.ts';
import { DetailPage, Facts } from '#src/screens/detail-page.tsx';
import { Forecast } from '#src/screens/forecast.tsx';
import { useRead } from '#src/screens/use-read.ts';
import { IconAlert, IconBook, IconHistory, IconLock, IconMail, IconSettings } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

const Whole = ({ entity }: { entity: Entity }) => {
  const user = useSession();
  const { Many, one } = useEntityWords();
  const brand = useBrand();
  const mayChange = can(user, Object.values(entityFieldNeeds));
  const restrictedNow = entity.restricted_access_at !== null && entity.restricted_access_at <= new Date().toISOString();
  const link = (slug: string) => pathTo('entities-one', { slug });
  return (
    <DetailPage
      title={entity.name}
      about={[
        `Level ${entity.level}`,
        entity.is_training_company ? 'training company' : '',
        entity.code ?? '',
        countOf(entity.people, 'person', 'people'),
      ]}
      actions={
        <>
          {can(user, 'entity.update') && (
            <Button variant="default" component={Link} to={`${pathTo('audit-log')}?filter=${entity.slug}`} leftSection={<IconHistory size={20} />}>
              Audit log
            </Button>
          )}
          {can(user, ['entity.view', 'entity.update']) && (
            <Button variant="default" component={Link} to={`${pathTo('messages')}?to=entity:${entity.slug}`} leftSection={<IconMail size={20} />}>
              Message everyone
            </Button>
          )}
          {can(user, needOf('entities-one-courses')) && (
            <Button
              variant="default"
              component={Link}
              to={pathTo('entities-one-courses', { slug: entity.slug })}
              leftSection={<IconBook size={20} />}
            >
              Courses
            </Button>
          )}
          {can(user, needOf('entities-one-settings')) && (
            <Button
              variant="default"
              component={Link}
              to={pathTo('entities-one-settings', { slug: entity.slug })}
              leftSection={<IconSettings size={20} />}
            >
              Settings
            </Button>
          )}
          {mayChange && (
            <Button component={Link} to={pathTo('entities-one-update', { slug: entity.slug })}>
              Change
            </Button>
          )}
        </>
      }
    >
      {entity.above.length > 0 && (
        <nav aria-label="Where it belongs">
          <ol className={classes.crumbs}>
            {entity.above.map((e) => (
              <li key={e.id}>
                <Link to={link(e.slug)}>{e.name}</Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      {entity.restricted_access_at && (
        <p className={layout.notice} data-tone={restrictedNow ? 'danger' : 'warning'} role="status">
          {restrictedNow ? <IconLock size={20} /> : <IconAlert size={20} />}{' '}
          {restrictedNow ? 'Access is restricted since' : 'Access will be restricted from'} {formatMoment(entity.restricted_access_at)}.{' '}
          {entity.has_access_password ? 'People sign in with the access password.' : 'No access password is set, so nobody can sign in.'}
        </p>
      )}
      <Scores slug={entity.slug} />
      <Forecast of={{ entity: entity.slug }} />
      <div className={classes.cards}>
        <Facts
          title="Contact details"
          facts={[
            ['E-mail', entity.email && <a href={`mailto:${entity.email}`}>{entity.email}</a>],
            ['Telephone', entity.telephone && <a href={`tel:${entity.telephone.replace(/[^+\d]/g, '')}`}>{entity.telephone}</a>],
            ['E-mail domains', entity.email_domains.join(', ')],
            ['Website', webAddress(entity.website) && <a href={entity.website ?? ''}>{entity.website}</a>],
            ['Address', entity.address],
          ]}
        />
        <Facts
          title="Training"
          facts={[
            ['Starter period', `${countOf(entity.starter_period, 'day')} for what a new starter must do`],
            ['Expiry warning', `${countOf(entity.expiry_warning, 'day')} before training expires`],
            [brand.certificateGroupMenuName, entity.notify_all_standards_selected && 'Approvers are told when every standard is met'],
            ['Time zone', entity.time_zone],
            ['Evidence', entity.require_training_record_evidence && 'Asked for where training is recorded by hand'],
            ['In focus', entity.focused_courses.map((c) => c.name).join(', ')],
          ]}
        />
        <Facts
          title="Signing in"
          facts={[
            ['Passwords', passwordSentence(entity)],
            [
              'Shown afterwards',
              webAddress(entity.popup_link) && <a href={entity.popup_link ?? ''}>{entity.login_popup_alt_name ?? entity.popup_link}</a>,
            ],
            [
              '',
              can(user, 'entity.update') && (
                <Link to={pathTo('entities-one-password-requirements', { slug: entity.slug })}>Change the password requirements</Link>
              ),
            ],
          ]}
        />
        {can(user, readsEntityNotes) && <Facts title="Notes" facts={[['', entity.notes]]} />}
      </div>
      {entity.children.length > 0 && (
        <section aria-label={Many} className={layout.page} style={{ margin: 0 }}>
          <Title order={2} size="h3">
            {Many} that belong to it
          </Title>
          <ul className={layout.list}>
            {entity.children.map((child) => (
              <li key={child.id}>
                <Link to={link(child.slug)} className={`app-card ${layout.row}`}>
                  <strong>{child.name}</strong>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className={layout.count}>
        This {one} was added on {formatDay(entity.created_at)}.
      </p>
    </DetailPage>
  );
};

/** One organisation: its parent, its contact details, its rules, and the organisations below it. */
export const Component = () => {
  const { slug = '' } = useParams();
  const { one } = useEntityWords();
  const { state, retry } = useRead('GET /entities/{id}', { params: { id: slug } });
  return (
    <>
      <ReadPlaceholder state={state} retry={retry} loading={`Loading the ${one}`} offline={`This page needs a connection.`} order={1} />
      {state.kind === 'loaded' && <Whole entity={state.data} />}
    </>
  );
};
